import { X } from 'lucide-react';
import type { AdminTransaction, AdminTransactionFilters } from '@/shared/api';
import { Button } from '@/shared/ui';
import { transactionKind } from '../../wallet/transaction-kinds';
import type { FilterName, TransactionFilterState } from '../use-transaction-filters';

/** The filters that are on, each with a way to take it away. */
export function FilterChips({ state, rows }: { state: TransactionFilterState; rows: readonly AdminTransaction[] }) {
  if (!state.isFiltered) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-4 sm:px-6">
      <ul aria-label="Filters" className="contents">
        {chipsOf(state.filters, rows).map(({ name, text }) => (
          <li key={name} className="max-w-full">
            <button
              type="button"
              aria-label={`Remove filter ${text}`}
              onClick={() => state.clear(name)}
              className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border border-nova/40 bg-nova/10 py-1 pr-2.5 pl-3.5 text-sm text-ink hover:border-nova sm:min-h-8"
            >
              <span className="truncate">
                <bdi>{text}</bdi>
              </span>
              <X aria-hidden="true" className="size-3.5 shrink-0 text-ink-muted" />
            </button>
          </li>
        ))}
      </ul>
      <Button size="sm" variant="ghost" onClick={state.clearAll}>
        Clear all
      </Button>
    </div>
  );
}

function chipsOf(
  filters: AdminTransactionFilters,
  rows: readonly AdminTransaction[],
): { name: FilterName; text: string }[] {
  const { search, type, startDate, endDate, userId } = filters;
  const member = rows.find((row) => row.userId === userId)?.userName ?? userId;
  return [
    ...(search === '' ? [] : [{ name: 'search' as const, text: `“${search}”` }]),
    ...(type === '' ? [] : [{ name: 'type' as const, text: transactionKind(type).label }]),
    ...(startDate === '' ? [] : [{ name: 'startDate' as const, text: `from ${startDate}` }]),
    ...(endDate === '' ? [] : [{ name: 'endDate' as const, text: `to ${endDate}` }]),
    ...(userId === '' ? [] : [{ name: 'userId' as const, text: `member: ${member}` }]),
  ];
}
