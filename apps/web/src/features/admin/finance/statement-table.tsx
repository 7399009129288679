import type { Currency } from '@app/domain';
import { clsx } from 'clsx';
import { balanceLabel } from './account-kinds';
import { CurrencyAmount } from './currency-amount';
import type { MemberStatement, StatementLine } from './use-finance';

interface Row {
  label: string;
  currency: Currency;
  opening: number;
  /** Null for what has no entries of its own. */
  turnover: { in: number; out: number } | null;
  closing: number;
  isSum?: boolean;
}

const toRow = ({ account, currency, opening, closing, ...turnover }: StatementLine): Row => ({
  label: balanceLabel(account),
  currency,
  opening,
  turnover,
  closing,
});

/** Purchased and earned Nova come first. */
const SPENDABLE = 2;

/** Purchased, earned and owed make the Nova balance; what is pending and the tokens stand apart. */
function rowsOf({ lines, owed, nova }: MemberStatement): Row[] {
  return [
    ...lines.slice(0, SPENDABLE).map(toRow),
    { label: 'Owed by reward pools', currency: 'NOVA', ...owed, turnover: null },
    { label: 'Nova balance', currency: 'NOVA', ...nova, turnover: null, isSum: true },
    ...lines.slice(SPENDABLE).map(toRow),
  ];
}

const HEAD =
  'px-2 py-2.5 text-right font-medium whitespace-nowrap first:pl-4 first:text-left last:pr-4 sm:first:pl-6 sm:last:pr-6';
const CELL = 'px-2 py-2.5 text-right last:pr-4 sm:last:pr-6';
/** On a phone opening and closing balance stand alone; the entries below tell the rest. */
const WIDE_ONLY = 'max-sm:hidden';

export function StatementTable({ statement }: { statement: MemberStatement }) {
  return (
    <table className="w-full border-t border-line text-sm" aria-label="Opening and closing balances">
      <thead className="text-xs text-ink-muted">
        <tr>
          <th scope="col" className={HEAD}>
            Account
          </th>
          <th scope="col" className={HEAD}>
            Opening
          </th>
          <th scope="col" className={`${HEAD} ${WIDE_ONLY}`}>
            In
          </th>
          <th scope="col" className={`${HEAD} ${WIDE_ONLY}`}>
            Out
          </th>
          <th scope="col" className={HEAD}>
            Closing
          </th>
        </tr>
      </thead>
      <tbody>
        {rowsOf(statement).map((row) => (
          <StatementRow key={row.label} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function StatementRow({ row }: { row: Row }) {
  const { label, currency, opening, turnover, closing, isSum = false } = row;
  const none = <span className="text-ink-faint">–</span>;
  return (
    <tr className={clsx('text-ink', isSum ? 'border-y border-line-strong font-semibold' : 'border-t border-line')}>
      <th scope="row" className={clsx('py-2.5 pr-2 pl-4 text-left sm:pl-6', !isSum && 'font-normal')}>
        {label}
      </th>
      <td className={CELL}>
        <CurrencyAmount value={opening} currency={currency} />
      </td>
      <td className={`${CELL} ${WIDE_ONLY}`}>
        {turnover ? <CurrencyAmount value={turnover.in} currency={currency} signed /> : none}
      </td>
      <td className={`${CELL} ${WIDE_ONLY}`}>
        {turnover ? <CurrencyAmount value={turnover.out} currency={currency} signed /> : none}
      </td>
      <td className={CELL}>
        <CurrencyAmount value={closing} currency={currency} />
      </td>
    </tr>
  );
}
