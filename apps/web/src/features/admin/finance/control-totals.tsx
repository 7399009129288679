import type { DollarAccount } from '@app/domain';
import { clsx } from 'clsx';
import { Scale } from 'lucide-react';
import { Link } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import { Badge, Card, EmptyState, ErrorNote } from '@/shared/ui';
import { SkeletonRows } from '../list-body';
import { useWideScreen } from '../use-wide-screen';
import { centsText, DollarAmount } from './dollar-amount';
import { linesPath } from './dollar-lines';
import { firstDay, lastDay, monthLabel } from './fiscal-period';
import { type ControlDay, useControlTotals } from './use-general-ledger';

/** The provider's side and the journal's side, day by day and in total (rule finance-8). */
export function ControlTotalsCard({ month }: { month: string }) {
  const totals = useControlTotals(month);
  const days = totals.data?.days ?? [];
  const isWide = useWideScreen();
  const Shown = isWide ? DayTable : DayList;
  return (
    <Card
      title="Control totals"
      description={`The balance at the payment provider and the purchases of the journal, for each day of ${monthLabel(month)} on which something moved. Opening and movements make the closing balance. The difference is what is open at the end of the day, disputes included.`}
      flush
      aria-busy={totals.isFetching}
    >
      {totals.error !== null && (
        <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void totals.refetch()} retrying={totals.isFetching}>
          {errorSentence(totals.error, 'The control totals could not be loaded.')}
        </ErrorNote>
      )}
      {totals.isPending && <SkeletonRows label="Loading control totals" count={6} />}
      {totals.error === null && totals.isSuccess && days.length === 0 && (
        <EmptyState icon={Scale} title="Nothing moved" text="There was no payment in this month." />
      )}
      {totals.error === null && days.length > 0 && <Shown days={days} total={totalOf(days, month)} />}
    </Card>
  );
}

/** A day, or all of a month. */
interface Row extends Omit<ControlDay, 'day'> {
  label: string;
  first: string;
  last: string;
}

const rowOf = ({ day, ...rest }: ControlDay): Row => ({ ...rest, label: day, first: day, last: day });

function totalOf(days: readonly ControlDay[], month: string): Row {
  const sum = (of: (day: ControlDay) => number): number => days.reduce((all, day) => all + of(day), 0);
  return {
    label: 'Total',
    first: firstDay(month),
    last: lastDay(month),
    provider: {
      openingCents: days[0]?.provider.openingCents ?? 0,
      paymentsCents: sum(({ provider }) => provider.paymentsCents),
      refundsCents: sum(({ provider }) => provider.refundsCents),
      disputesCents: sum(({ provider }) => provider.disputesCents),
      feesCents: sum(({ provider }) => provider.feesCents),
      payoutsCents: sum(({ provider }) => provider.payoutsCents),
      otherCents: sum(({ provider }) => provider.otherCents),
      closingCents: days.at(-1)?.provider.closingCents ?? 0,
    },
    purchasesCents: sum(({ purchasesCents }) => purchasesCents),
    reversalsCents: sum(({ reversalsCents }) => reversalsCents),
    differenceCents: days.at(-1)?.differenceCents ?? 0,
  };
}

interface Figure {
  label: string;
  /** Whose lines it opens to; a balance or a difference that was carried over has none of its own. */
  account?: DollarAccount;
  of: (row: Row) => number;
}

const BALANCE = 'assets:provider:balance';
const CLEARING = 'assets:provider:clearing';

const PROVIDER_FIGURES: readonly Figure[] = [
  { label: 'Opening', of: ({ provider }) => provider.openingCents },
  { label: 'Payments', account: BALANCE, of: ({ provider }) => provider.paymentsCents },
  { label: 'Refunds', account: BALANCE, of: ({ provider }) => provider.refundsCents },
  { label: 'Disputes', account: BALANCE, of: ({ provider }) => provider.disputesCents },
  { label: 'Fees', account: BALANCE, of: ({ provider }) => provider.feesCents },
  { label: 'Payouts', account: BALANCE, of: ({ provider }) => provider.payoutsCents },
  { label: 'Other', account: BALANCE, of: ({ provider }) => provider.otherCents },
  { label: 'Closing', account: BALANCE, of: ({ provider }) => provider.closingCents },
];
const JOURNAL_FIGURES: readonly Figure[] = [
  { label: 'Purchases', account: CLEARING, of: ({ purchasesCents }) => purchasesCents },
  { label: 'Reversals', account: CLEARING, of: ({ reversalsCents }) => -reversalsCents },
];
const DIFFERENCE: Figure = { label: 'Difference', of: ({ differenceCents }) => differenceCents };
const GROUPS = [
  { label: 'Payment provider', figures: PROVIDER_FIGURES },
  { label: 'Journal', figures: JOURNAL_FIGURES },
  { label: 'Between them', figures: [DIFFERENCE] },
];

interface ShownProps {
  days: readonly ControlDay[];
  total: Row;
}

function DayTable({ days, total }: ShownProps) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-t border-line text-xs" aria-label="Control totals">
        <thead className="text-ink-muted">
          <tr>
            <th scope="col" rowSpan={2} className="py-2 pl-6 text-left align-bottom font-medium">
              Day
            </th>
            {GROUPS.map(({ label, figures }) => (
              <th
                key={label}
                scope="colgroup"
                colSpan={figures.length}
                className="border-l border-line px-2 pt-2.5 text-left font-medium"
              >
                {label}
              </th>
            ))}
          </tr>
          <tr>
            {GROUPS.flatMap(({ figures }) =>
              figures.map(({ label }, index) => (
                <th
                  key={label}
                  scope="col"
                  className={clsx('px-2 py-2 text-right font-medium last:pr-6', index === 0 && 'border-l border-line')}
                >
                  {label}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <DayRow key={day.day} row={rowOf(day)} />
          ))}
        </tbody>
        <tfoot>
          <DayRow row={total} isTotal />
        </tfoot>
      </table>
    </div>
  );
}

function DayRow({ row, isTotal = false }: { row: Row; isTotal?: boolean }) {
  return (
    <tr
      className={clsx(
        'text-ink hover:bg-sky-700/40',
        isTotal ? 'border-t-2 border-line-strong font-semibold' : 'border-t border-line',
      )}
    >
      <th
        scope="row"
        className={clsx(
          'py-1 pl-6 text-left whitespace-nowrap tabular-nums',
          isTotal ? 'font-semibold' : 'font-normal',
        )}
      >
        {row.label}
      </th>
      {GROUPS.flatMap(({ figures }) =>
        figures.map((figure, index) => (
          <td key={figure.label} className={clsx('px-2 text-right last:pr-6', index === 0 && 'border-l border-line')}>
            <FigureLink figure={figure} row={row} />
          </td>
        )),
      )}
    </tr>
  );
}

/** A figure that leads to the lines of its day. */
function FigureLink({ figure, row }: { figure: Figure; row: Row }) {
  const cents = figure.of(row);
  if (figure.account === undefined || cents === 0) return <DollarAmount cents={cents} />;
  const to = linesPath({ account: figure.account, first: row.first, last: row.last });
  return (
    <Link to={to} className="inline-flex min-h-11 items-center lg:min-h-8">
      <DollarAmount cents={cents} className="underline decoration-line-strong underline-offset-4 print:no-underline" />
    </Link>
  );
}

/** On a phone, each day opens to its figures. */
function DayList({ days, total }: ShownProps) {
  return (
    <ul aria-label="Control totals" className="divide-y divide-line border-t border-line">
      {[...days.map(rowOf), total].map((row) => (
        <li key={row.label}>
          <details>
            <summary className="flex min-h-14 cursor-pointer flex-wrap items-center justify-between gap-x-4 px-4 py-2 text-sm sm:px-6">
              <span className="font-medium text-ink tabular-nums">{row.label}</span>
              {row.differenceCents === 0 ? (
                <Badge tone="gain">No difference</Badge>
              ) : (
                <Badge tone="hold">Difference {centsText(row.differenceCents)}</Badge>
              )}
            </summary>
            {GROUPS.map(({ label, figures }) => (
              <dl key={label} aria-label={label} className="grid px-4 pb-3 text-sm sm:px-6">
                <div className="pb-1 text-xs font-medium text-ink-muted">{label}</div>
                {figures.map((figure) => (
                  <div key={figure.label} className="flex min-h-9 items-center justify-between border-t border-line">
                    <dt className="text-ink-muted">{figure.label}</dt>
                    <dd className="text-ink">
                      <FigureLink figure={figure} row={row} />
                    </dd>
                  </div>
                ))}
              </dl>
            ))}
          </details>
        </li>
      ))}
    </ul>
  );
}
