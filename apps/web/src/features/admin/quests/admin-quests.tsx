import { Plus, Trophy } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { errorSentence } from '@/shared/api';
import { Button, Card, EmptyState, ErrorNote, Field, Select, Skeleton } from '@/shared/ui';
import { Pager } from '../pager';
import { useAddressFilters } from '../use-address-filters';
import { useWideScreen } from '../use-wide-screen';
import { QuestDialog } from './quest-dialog';
import { QuestCards } from './quest-cards';
import { QuestTable } from './quest-table';
import { useAdminQuests, type AdminQuestPage } from './use-admin-quests';
import { useQuestSort } from './use-quest-sort';

const STATUS_OPTIONS = [
  { value: 'all', label: 'All quests' },
  { value: 'active', label: 'Active' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'expired', label: 'Expired' },
];

/** Daily Quests in the Admin Panel (S1 §2.6): creation and list. */
export function AdminQuests() {
  const view = useAddressFilters(['status']);
  const [sort, setSort] = useQuestSort();
  const isWide = useWideScreen();
  const [isCreating, setCreating] = useState(false);
  const quests = useAdminQuests({ status: view.filters.status, sort, page: view.page });
  const create = (
    <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setCreating(true)}>
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
      <QuestRows
        quests={quests}
        isFiltered={view.isFiltered}
        render={(page) =>
          isWide ? <QuestTable page={page} sort={sort} onSort={setSort} /> : <QuestCards quests={page.quests} />
        }
      />
      {quests.data !== undefined && (
        <Pager label="Pages of quests" pagination={quests.data.pagination} onGoTo={view.goTo} />
      )}
      <QuestDialog open={isCreating} onOpenChange={setCreating} />
    </Card>
  );
}

interface QuestRowsProps {
  quests: ReturnType<typeof useAdminQuests>;
  isFiltered: boolean;
  render: (page: AdminQuestPage) => ReactNode;
}

function QuestRows({ quests, isFiltered, render }: QuestRowsProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = quests;
  if (error !== null) {
    return (
      <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'The quests could not be loaded.')}
      </ErrorNote>
    );
  }
  if (data === undefined) return <SkeletonRows />;
  if (data.quests.length === 0 && data.pagination.total > 0) {
    return <EmptyState icon={Trophy} title="This page does not exist" text="The list has become shorter than that." />;
  }
  if (data.quests.length === 0) {
    return (
      <EmptyState
        icon={Trophy}
        title={isFiltered ? 'No such quests' : 'No quests yet'}
        text={isFiltered ? 'No quest has this status now.' : 'A quest gives members a reason to come back.'}
      />
    );
  }
  return <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>{render(data)}</div>;
}

function SkeletonRows() {
  return (
    <ul aria-label="Loading quests" aria-busy="true" className="divide-y divide-line border-t border-line">
      {['first', 'second', 'third'].map((row) => (
        <li key={row} className="flex min-h-16 items-center gap-3 px-4 sm:px-6">
          <Skeleton className="h-4 w-48" />
          <Skeleton className="ml-auto h-4 w-24" />
        </li>
      ))}
    </ul>
  );
}
