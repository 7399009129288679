import type { Currency } from '@app/domain';
import { clsx } from 'clsx';
import { UserSearch } from 'lucide-react';
import { errorSentence } from '@/shared/api';
import { Card, EmptyState, ErrorNote } from '@/shared/ui';
import { csvProgress } from '../csv-progress';
import { DownloadButton } from '@/shared/downloads';
import { FilterChips } from '../filter-chips';
import { SkeletonRows } from '../list-body';
import { MemberFilter } from '../member-filter';
import { useAddressFilters } from '../use-address-filters';
import { balanceLabel } from './account-kinds';
import { CurrencyAmount } from './currency-amount';
import { EntryList } from './entry-list';
import { MomentField } from './moment-field';
import { MomentNote, utcTime } from './moment-note';
import { type MemberStatement, statementFile, type StatementLine, useMemberStatement } from './use-finance';

const FILTERS = ['userId', 'from', 'to'] as const;
const SKELETON_ROWS = 7;

/** A moment from the address, which may be just a day. */
const momentText = (moment: string): string => (moment.includes('T') ? utcTime(moment) : moment);

/** A member's statement for any period: opening balance, movements, closing balance. */
export function MemberStatementView() {
  const state = useAddressFilters(FILTERS);
  const { filters } = state;
  const statement = useMemberStatement(filters);
  const member = statement.data?.member;
  return (
    <Card
      title="Statement of a member"
      description="All accounts of a member, with opening and closing balances for any period."
      flush
      aria-busy={statement.isFetching}
      actions={
        <DownloadButton
          label="Download CSV"
          disabled={statement.data === undefined}
          path={statementFile(filters)}
          fallbackName="nova-statement.csv"
          progressOf={() => csvProgress()}
          failure="The statement could not be downloaded."
        />
      }
    >
      <div className="grid grid-cols-1 items-end gap-3 px-4 pb-4 print:hidden sm:grid-cols-2 sm:px-6 lg:grid-cols-[15rem_15rem_auto_1fr]">
        <MomentField
          label="From (UTC)"
          moment={filters.from}
          edge="start"
          before={filters.to}
          onMoment={(from) => state.set('from', from)}
        />
        <MomentField label="To (UTC)" moment={filters.to} after={filters.from} onMoment={(to) => state.set('to', to)} />
        <MemberFilter
          label="Choose a member"
          className="sm:col-span-2 lg:col-span-1"
          onChoose={(userId) => state.set('userId', userId)}
        />
      </div>
      <FilterChips
        state={state}
        textOf={(name, value) => (name === 'userId' ? (member?.displayName ?? value) : `${name} ${momentText(value)}`)}
      />
      {filters.userId === '' && (
        <EmptyState icon={UserSearch} title="Whose statement?" text="Choose a member by name or e-mail." />
      )}
      {filters.userId !== '' && statement.error !== null && (
        <ErrorNote
          className="mx-4 mb-4 sm:mx-6"
          onRetry={() => void statement.refetch()}
          retrying={statement.isFetching}
        >
          {errorSentence(statement.error, 'The statement could not be loaded.')}
        </ErrorNote>
      )}
      {filters.userId !== '' && statement.isPending && (
        <SkeletonRows label="Loading the statement" count={SKELETON_ROWS} />
      )}
      {filters.userId !== '' && statement.error === null && statement.data !== undefined && (
        <StatementBody statement={statement.data} filters={filters} />
      )}
    </Card>
  );
}

function StatementBody({
  statement,
  filters,
}: {
  statement: MemberStatement;
  filters: Record<(typeof FILTERS)[number], string>;
}) {
  return (
    <>
      <div className="px-4 pb-2 sm:px-6">
        <p className="text-base font-semibold text-ink">
          <bdi>{statement.member.displayName}</bdi>
        </p>
        <MomentNote moment={statement.closing} />
      </div>
      <StatementTable statement={statement} />
      <h3 className="px-4 pt-6 pb-3 text-sm font-semibold text-ink sm:px-6">Entries</h3>
      <EntryList key={JSON.stringify(filters)} asked={filters} />
    </>
  );
}

interface Row {
  label: string;
  currency: Currency;
  opening: number;
  /** Null for rows without entries of their own. */
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

/** Purchased, earned and owed Nova make the balance; pending amounts and tokens stand apart. */
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
/** A phone shows only the opening and closing balance; the entries below give the rest. */
const WIDE_ONLY = 'max-sm:hidden';

function StatementTable({ statement }: { statement: MemberStatement }) {
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
