import { Plus, Trophy } from 'lucide-react';
import { useState } from 'react';
import { Button, Card, Field, Select } from '@/shared/ui';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import { useAddressFilters } from '../use-address-filters';
import { useWideScreen } from '../use-wide-screen';
import { QuestDialog } from './quest-dialog';
import { QuestCards } from './quest-cards';
import { QuestTable } from './quest-table';
import { useAdminQuests } from './use-admin-quests';
import { useQuestSort } from './use-quest-sort';

const STATUS_OPTIONS = [
  { value: 'all', label: 'All quests' },
  { value: 'active', label: 'Active' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'expired', label: 'Expired' },
];

/** Daily Quests in the Admin Panel (rule quests-7): creation and list. */
export function AdminQuests() {
  const view = useAddressFilters(['status']);
  const [sort, setSort] = useQuestSort();
  const isWide = useWideScreen();
  const [isCreating, setCreating] = useState(false);
  const quests = useAdminQuests({ status: view.filters.status, sort, page: view.page });
  const create = (
    <Button variant="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setCreating(true)}>
      Create Quest
    </Button>
  );
  return (
    <Card title="Daily Quests" flush actions={create} aria-busy={quests.isFetching}>
      <div className="px-4 pb-4 sm:px-6">
        <Field label="Status" className="max-w-48">
          <Select
            options={STATUS_OPTIONS}
            value={view.filters.status === '' ? 'all' : view.filters.status}
            onChange={({ target: { value } }) => view.set('status', value === 'all' ? '' : value)}
          />
        </Field>
      </div>
      <ListBody
        list={quests}
        failure="The quests could not be loaded."
        empty={{ icon: Trophy, title: 'No quests yet', text: 'A quest gives members a reason to come back.' }}
        isFiltered={view.isFiltered}
        onClear={view.clearAll}
        onFirstPage={() => view.goTo(1)}
        skeleton={<SkeletonRows label="Loading quests" count={3} />}
      >
        {(page) =>
          isWide ? <QuestTable page={page} sort={sort} onSort={setSort} /> : <QuestCards quests={page.quests} />
        }
      </ListBody>
      {quests.data !== undefined && (
        <Pager label="Pages of quests" pagination={quests.data.pagination} onGoTo={view.goTo} />
      )}
      <QuestDialog open={isCreating} onOpenChange={setCreating} />
    </Card>
  );
}
