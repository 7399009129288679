import { sayShortfall } from '@/shared/api';
import { Amount, Badge, RelativeTime } from '@/shared/ui';
import { transactionKind } from '../../wallet/transaction-kinds';
import type { AdminColumn } from '../table/admin-table';
import type { AdminTransaction } from '../use-admin';

/** The column that the server sorts by. */
export const TIME = 'time';

/** The columns of Nova Transactions, in order. Without those that cannot be hidden, a row would say nothing. */
export const TRANSACTION_COLUMNS: readonly (AdminColumn<AdminTransaction> & { id: string; header: string })[] = [
  {
    id: TIME,
    header: 'Time',
    accessorFn: ({ createdAt }) => createdAt,
    sortDescFirst: true,
    cell: ({ row }) => <RelativeTime iso={row.original.createdAt} className="whitespace-nowrap text-ink-muted" />,
  },
  { id: 'type', header: 'Type', cell: ({ row }) => <Kind type={row.original.type} /> },
  {
    id: 'member',
    header: 'Member',
    cell: ({ row }) => (
      <bdi className="block truncate text-left" title={`${row.original.userName}, ${row.original.userEmail}`}>
        {row.original.userName}
      </bdi>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    enableHiding: false,
    cell: ({ row }) => (
      <span className="flex items-center gap-2">
        <bdi className="truncate text-left" title={descriptionOf(row.original)}>
          {descriptionOf(row.original)}
        </bdi>
        {row.original.isReversed && <Badge>Reversed</Badge>}
      </span>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    enableHiding: false,
    meta: { isFigure: true },
    cell: ({ row }) => <Amount value={row.original.amount} signed bare className="font-semibold" />,
  },
  {
    id: 'balance',
    header: 'Balance after',
    meta: { isFigure: true },
    cell: ({ row }) => <Amount value={row.original.balanceAfter} bare className="text-ink-muted" />,
  },
  {
    id: 'event',
    header: 'Event id',
    cell: ({ row }) => <code className="text-xs text-ink-muted">{row.original.eventId ?? '–'}</code>,
  },
];

const descriptionOf = (row: AdminTransaction): string =>
  [row.description, sayShortfall(row)].filter((part) => part !== undefined).join(': ');

function Kind({ type }: { type: string }) {
  const { label, icon: Icon } = transactionKind(type);
  return (
    <span className="inline-flex items-center gap-2 align-middle whitespace-nowrap text-ink-muted">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {label}
    </span>
  );
}
