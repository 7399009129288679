import { Plus, Trophy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatCount } from '@/shared/api';
import { Amount, Button, Card, Field, Select } from '@/shared/ui';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import type { AdminColumn } from '../table/admin-table';
import { DataTable } from '../table/data-table';
import { useAddressFilters } from '../use-address-filters';
import { useWideScreen } from '../use-wide-screen';
import { QuestDialog } from './quest-dialog';
import { QuestName, QuestStatusBadge, QuestTimes } from './quest-facts';
import { type AdminQuest, type AdminQuestPage, useAdminQuests } from './use-admin-quests';
import { type QuestSort, useQuestSort } from './use-quest-sort';

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

/** The quests on a phone, one card each. */
function QuestCards({ quests }: { quests: readonly AdminQuest[] }) {
  return (
    <ul aria-label="Quests" className="divide-y divide-line border-t border-line">
      {quests.map((quest) => (
        <li key={quest.id} className="grid grid-cols-1 gap-3 p-4 sm:px-6">
          <div className="flex items-start justify-between gap-3 cramped:flex-wrap">
            <QuestName quest={quest} />
            <QuestStatusBadge quest={quest} />
          </div>
          <div className="flex items-end justify-between gap-x-4 text-xs text-ink-faint cramped:flex-wrap">
            <QuestTimes quest={quest} />
            <Amount value={quest.reward} className="text-sm font-semibold text-ink" />
          </div>
          <dl className="grid grid-cols-4 gap-2 cramped:grid-cols-1 text-xs text-ink-faint">
            <Figure title="Under way">{formatCount(quest.underWay)}</Figure>
            <Figure title="Completed">{formatCount(quest.completed)}</Figure>
            <Figure title="Claimed">{formatCount(quest.claimed)}</Figure>
            <Figure title="Nova paid">
              <Amount value={quest.novaPaid} bare />
            </Figure>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Figure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className="mt-0.5 text-sm text-ink tabular-nums">{children}</dd>
    </div>
  );
}

const figure = (id: string, header: string, valueOf: (quest: AdminQuest) => number): AdminColumn<AdminQuest> => ({
  id,
  header,
  accessorFn: valueOf,
  sortDescFirst: true,
  meta: { isFigure: true },
  cell: ({ row }) => <span className="text-ink-muted tabular-nums">{formatCount(valueOf(row.original))}</span>,
});

const amount = (id: string, header: string, valueOf: (quest: AdminQuest) => number): AdminColumn<AdminQuest> => ({
  ...figure(id, header, valueOf),
  cell: ({ row }) => <Amount value={valueOf(row.original)} bare />,
});

/** The ids of columns with an accessor are the names that the server sorts by. */
const COLUMNS: readonly AdminColumn<AdminQuest>[] = [
  {
    id: 'created',
    header: 'Quest',
    accessorFn: ({ createdAt }) => createdAt,
    sortDescFirst: true,
    meta: { isWidest: true },
    cell: ({ row }) => <QuestName quest={row.original} isCut />,
  },
  { id: 'status', header: 'Status', cell: ({ row }) => <QuestStatusBadge quest={row.original} /> },
  {
    id: 'starts',
    header: 'Runs',
    accessorFn: ({ startTime }) => startTime,
    sortDescFirst: true,
    cell: ({ row }) => <QuestTimes quest={row.original} />,
  },
  amount('reward', 'Reward', ({ reward }) => reward),
  figure('underWay', 'Under way', ({ underWay }) => underWay),
  figure('completed', 'Completed', ({ completed }) => completed),
  figure('claimed', 'Claimed', ({ claimed }) => claimed),
  amount('paid', 'Nova paid', ({ novaPaid }) => novaPaid),
];

interface QuestTableProps {
  page: AdminQuestPage;
  sort: QuestSort;
  onSort: (sort: { id: string; desc: boolean }) => void;
}

const rowId = ({ id }: AdminQuest): string => id;

function QuestTable({ page, sort, onSort }: QuestTableProps) {
  return (
    <DataTable
      label="Quests"
      columns={COLUMNS}
      rows={page.quests}
      rowId={rowId}
      pagination={page.pagination}
      sort={sort}
      onSort={onSort}
    />
  );
}
