import { sayShortfall } from '@/shared/api';
import { Amount, RelativeTime } from '@/shared/ui';
import { transactionKind } from '../../wallet/transaction-kinds';
import type { AdminTransaction } from '../use-admin';

export interface TransactionCardsProps {
  rows: readonly AdminTransaction[];
  onOpen: (eventId: string) => void;
}

/** The transactions where a table has no room: one pressable card each. */
export function TransactionCards({ rows, onOpen }: TransactionCardsProps) {
  return (
    <ul className="divide-y divide-line border-t border-line">
      {rows.map((row) => (
        <li key={row.id}>
          <TransactionCard row={row} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  );
}

function TransactionCard({ row, onOpen }: { row: AdminTransaction; onOpen: (eventId: string) => void }) {
  const { label, icon: Icon } = transactionKind(row.type);
  const { eventId } = row;
  const shortfall = sayShortfall(row);
  return (
    <button
      type="button"
      disabled={eventId === null}
      onClick={() => eventId !== null && onOpen(eventId)}
      className="flex min-h-18 w-full items-start gap-3 px-4 py-3 text-left cramped:flex-wrap focus-visible:-outline-offset-2 sm:px-6"
    >
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-muted" />
      <span className="min-w-0 flex-1 cramped:basis-full">
        <span className="line-clamp-2 text-sm font-medium text-ink">
          <bdi>{row.description}</bdi>
        </span>
        <bdi className="mt-0.5 block truncate text-left text-xs text-ink-muted">{row.userName}</bdi>
        {shortfall !== undefined && <span className="mt-0.5 block text-xs text-ink-muted">{shortfall}</span>}
        <span className="mt-0.5 block text-xs text-ink-faint">
          {label} · <RelativeTime iso={row.createdAt} />
        </span>
      </span>
      <span className="grid shrink-0 justify-items-end">
        <Amount value={row.amount} signed bare className="text-sm font-semibold" />
        <span className="text-xs text-ink-faint">
          <span className="sr-only">, balance after </span>
          <Amount value={row.balanceAfter} bare />
        </span>
      </span>
    </button>
  );
}
