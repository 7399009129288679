import { ChevronDown } from 'lucide-react';
import { clsx } from 'clsx';
import { useId, useState } from 'react';
import { formatCount } from '@/shared/api';
import { CopyButton, RelativeTime } from '@/shared/ui';
import { doerName } from '../doer-name';
import { kindLabel } from '../finance/account-kinds';
import { CurrencyAmount } from '../finance/currency-amount';
import { UtcTime } from '../finance/moment-note';
import type { Period } from './use-periods';

/** One closed period; pressing it shows its seal and its trial balance. */
export function PeriodItem({ period }: { period: Period }) {
  const { number, endsAt, events, closedAt, closedBy, actor } = period;
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-16 w-full items-center gap-3 px-4 py-3 text-left transition-colors hover:bg-sky-700/40 focus-visible:-outline-offset-2 sm:px-6"
      >
        <span className="min-w-0 flex-1">
          <span className="block text-sm font-medium text-ink">
            Period {number}, up to <UtcTime iso={endsAt} />
          </span>
          <span className="block text-xs text-ink-faint">
            {formatCount(events)} {events === 1 ? 'event' : 'events'} · closed <RelativeTime iso={closedAt} /> by{' '}
            <bdi>{doerName({ actor, by: closedBy })}</bdi>
          </span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className={clsx('size-4 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      {isOpen && (
        <div id={panelId} className="grid animate-appear grid-cols-1 gap-5 bg-sky-950/40 px-4 pt-2 pb-5 sm:px-6">
          <Totals period={period} />
          <Hashes period={period} />
        </div>
      )}
    </li>
  );
}

function Totals({ period: { totals } }: { period: Period }) {
  if (totals.length === 0) return <p className="text-sm text-ink-muted">Every account stood at zero.</p>;
  return (
    <table className="w-full text-sm">
      <caption className="mb-1 text-left text-xs font-medium text-ink-muted">Trial balance at the end</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Accounts</th>
          <th scope="col">Balance</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-y border-line">
        {totals.map(({ kind, currency, amount }) => (
          <tr key={`${kind} ${currency}`}>
            <td className="py-2 pr-4 text-ink">
              {kindLabel(kind)} <code className="text-xs text-ink-faint">{kind}</code>
            </td>
            <td className="py-2 text-right whitespace-nowrap text-ink">
              <CurrencyAmount value={amount} currency={currency} />{' '}
              <span aria-hidden="true" className="text-xs text-ink-faint">
                {currency}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Hashes({ period }: { period: Period }) {
  const { seal, root, chainHash, firstRevision, lastRevision } = period;
  return (
    <dl className="grid grid-cols-1 gap-3">
      <Hash label="Seal" value={seal} />
      <Hash label="Root of the tree over its events" value={root} />
      <Hash label={`Chain hash at revision ${formatCount(lastRevision)}`} value={chainHash} />
      <div>
        <dt className="text-xs font-medium text-ink-muted">Revisions</dt>
        <dd className="mt-0.5 text-sm text-ink tabular-nums">
          {formatCount(firstRevision)} to {formatCount(lastRevision)}
        </dd>
      </div>
    </dl>
  );
}

function Hash({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs font-medium text-ink-muted">{label}</dt>
      <dd className="mt-0.5 flex items-center gap-1">
        <code className="min-w-0 text-xs break-all text-ink">{value}</code>
        <CopyButton text={value} label={`Copy: ${label}`} className="-my-2" />
      </dd>
    </div>
  );
}
