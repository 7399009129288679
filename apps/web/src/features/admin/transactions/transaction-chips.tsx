import { transactionKind } from '../../wallet/transaction-kinds';
import { FilterChips } from '../filter-chips';
import type { FilterName, TransactionFilterState } from '../use-transaction-filters';
import type { AdminTransaction } from '../use-admin';

/** The filters of the transactions that are on. */
export function TransactionChips({
  state,
  rows,
}: {
  state: TransactionFilterState;
  rows: readonly AdminTransaction[];
}) {
  const texts: Record<FilterName, (value: string) => string> = {
    search: (text) => `“${text}”`,
    type: (type) => transactionKind(type).label,
    startDate: (day) => `from ${day}`,
    endDate: (day) => `to ${day}`,
    userId: (id) => `member: ${rows.find(({ userId }) => userId === id)?.userName ?? id}`,
  };
  return <FilterChips state={state} textOf={(name, value) => texts[name](value)} />;
}
