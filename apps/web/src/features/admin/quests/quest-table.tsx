import { formatCount } from '@/shared/api';
import { Amount } from '@/shared/ui';
import type { AdminColumn } from '../table/admin-table';
import { DataTable } from '../table/data-table';
import { QuestName, QuestStatusBadge, QuestTimes } from './quest-facts';
import type { AdminQuest, AdminQuestPage } from './use-admin-quests';
import type { QuestSort } from './use-quest-sort';

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

/** The ids of columns with an accessor are what the server sorts by. */
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

export function QuestTable({ page, sort, onSort }: QuestTableProps) {
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
