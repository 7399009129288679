import { CURRENCIES, type AccountKind, type Currency } from '@app/domain';
import { Check, Scale, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { addNova, errorSentence } from '@/shared/api';
import { Button, Card, EmptyState, ErrorNote } from '@/shared/ui';
import { DownloadButton } from '@/shared/downloads';
import { SkeletonRows } from '../list-body';
import { CURRENCY_LABELS, kindLabel, soleAccount } from './account-kinds';
import { CurrencyAmount } from './currency-amount';
import { financePath } from './finance-address';
import { MomentField } from './moment-field';
import { MomentNote } from './moment-note';
import { trialBalancePath, useTrialBalance, type TrialBalance, type TrialBalanceLine } from './use-finance';

const SKELETON_ROWS = 8;

/** Every kind of account with its total, now or at any past moment; each links to its accounts. */
export function TrialBalanceCard({ at, onMoment }: { at: string; onMoment: (at: string) => void }) {
  const books = useTrialBalance(at);
  return (
    <Card
      title="Trial balance"
      description="What all accounts hold, by kind. Every currency sums to zero: what members have was paid in or issued."
      flush
      aria-busy={books.isFetching}
      actions={
        <DownloadButton
          label="Download CSV"
          disabled={!books.data?.moment.at}
          path={trialBalancePath(books.data?.moment)}
          fallbackName="nova-trial-balance.csv"
          progressOf={() => () => ({ text: 'Saving' })}
          failure="The trial balance could not be downloaded."
        />
      }
    >
      <div className="grid grid-cols-[1fr_auto] items-end gap-3 px-4 pb-4 sm:grid-cols-[16rem_auto_1fr] sm:px-6">
        <MomentField label="As of (UTC)" moment={at} onMoment={onMoment} />
        <Button disabled={at === ''} onClick={() => onMoment('')}>
          Now
        </Button>
        <div className="max-sm:col-span-2">{books.data && <MomentNote moment={books.data.moment} />}</div>
      </div>
      {books.error !== null && (
        <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void books.refetch()} retrying={books.isFetching}>
          {errorSentence(books.error, 'The trial balance could not be loaded.')}
        </ErrorNote>
      )}
      {books.error === null && books.data === undefined && (
        <SkeletonRows label="Loading the trial balance" count={SKELETON_ROWS} />
      )}
      {books.error === null && books.data !== undefined && <Totals books={books.data} at={at} />}
    </Card>
  );
}

function Totals({ books, at }: { books: TrialBalance; at: string }) {
  const shown = CURRENCIES.filter((currency) => books.lines.some((line) => line.currency === currency));
  if (shown.length === 0) {
    return <EmptyState icon={Scale} title="Nothing yet" text="At that moment all accounts were empty." />;
  }
  return shown.map((currency) => (
    <CurrencyTable
      key={currency}
      currency={currency}
      lines={books.lines.filter((line) => line.currency === currency)}
      pathOf={(line) => linePath(line, { at, revision: String(books.moment.revision) })}
    />
  ));
}

/** From a total to its accounts, or to the entries of its only one; always at the same moment. */
const linePath = ({ kind, currency }: TrialBalanceLine, moment: { at: string; revision: string }): string =>
  financePath({ ...moment, kind, account: soleAccount(kind, currency) ?? '' });

interface CurrencyTableProps {
  currency: Currency;
  lines: readonly TrialBalanceLine[];
  pathOf: (line: TrialBalanceLine) => string;
}

function CurrencyTable({ currency, lines, pathOf }: CurrencyTableProps) {
  const sum = addNova(...lines.map(({ balance }) => balance));
  const isBalanced = sum === 0;
  const Mark = isBalanced ? Check : TriangleAlert;
  return (
    <div className="overflow-x-auto">
      <table
        className="w-full border-t border-line text-sm cramped:text-xs cramped:wrap-normal"
        aria-label={`Accounts in ${CURRENCY_LABELS[currency]}`}
      >
        <thead className="text-xs text-ink-muted">
          <tr>
            <th scope="col" className="px-4 py-2.5 text-left font-medium cramped:px-2 sm:px-6">
              {CURRENCY_LABELS[currency]}
            </th>
            <th scope="col" className="px-4 py-2.5 text-right font-medium cramped:px-2 sm:px-6">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.kind} className="border-t border-line hover:bg-sky-700/40">
              <th scope="row" className="text-left font-normal">
                <KindLink kind={line.kind} to={pathOf(line)} />
              </th>
              <td className="px-4 text-right text-ink cramped:px-2 sm:px-6">
                <CurrencyAmount value={line.balance} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong">
            <th scope="row" className="px-4 py-3 text-left font-medium text-ink-muted cramped:px-2 sm:px-6">
              <span className="inline-flex items-center gap-2">
                <Mark aria-hidden="true" className={isBalanced ? 'size-4 text-gain' : 'size-4 text-loss'} />
                {isBalanced ? 'Sums to zero' : 'Does not sum to zero'}
              </span>
            </th>
            <td className="px-4 text-right font-semibold text-ink cramped:px-2 sm:px-6">
              <CurrencyAmount value={sum} currency={currency} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function KindLink({ kind, to }: { kind: AccountKind; to: string }) {
  return (
    <Link
      to={to}
      className="group flex min-h-11 flex-wrap items-center gap-x-3 px-4 py-1.5 text-ink cramped:px-2 focus-visible:-outline-offset-2 sm:px-6"
    >
      <span className="underline decoration-line-strong underline-offset-4 group-hover:decoration-ink">
        {kindLabel(kind)}
      </span>
      <code className="text-xs wrap-anywhere text-ink-faint">{kind}</code>
    </Link>
  );
}
