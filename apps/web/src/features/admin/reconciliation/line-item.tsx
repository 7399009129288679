import { Link } from 'react-router-dom';
import { formatUsdCents } from '@/shared/api';
import { Badge, Button } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import { UtcTime } from '../finance/moment-note';
import type { ReconciliationLine } from './use-reconciliation';

const KINDS: Readonly<Record<string, string>> = {
  payment: 'Payment',
  refund: 'Refund',
  'refund-failed': 'Failed refund',
  dispute: 'Dispute',
  'dispute-won': 'Dispute won',
  fee: 'Fee',
  payout: 'Payout',
  'other-currency': 'Movement in another currency',
};
const STATES = {
  matched: { tone: 'gain', label: 'Matched' },
  explained: { tone: 'neutral', label: 'Explained' },
  flagged: { tone: 'loss', label: 'Flagged' },
} as const;

/** One movement, and what our books say about it. */
export function LineItem({ line, onExplain }: { line: ReconciliationLine; onExplain: () => void }) {
  const { id, side, kind, cents, feeCents, at, status, note, eventId, explanation } = line;
  const state = STATES[status];
  const name = KINDS[kind] ?? 'Other movement';
  return (
    <li
      aria-label={`${name} ${id}`}
      className="flex flex-col gap-3 px-4 py-3 text-sm sm:flex-row sm:items-start sm:gap-6 sm:px-6"
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-ink">
          {name}
          <Badge tone={state.tone}>{state.label}</Badge>
          {side === 'ledger' && <Badge>Ours only</Badge>}
        </p>
        <p className="mt-1 font-mono text-xs break-all text-ink-faint">{line.providerId ?? id}</p>
        {explanation === null && note !== null && <p className="mt-1 max-w-prose text-ink-muted">{note}</p>}
        {explanation !== null && (
          <p dir="auto" className="mt-1 max-w-prose wrap-anywhere text-ink-muted">
            <bdi>{explanation.by}</bdi>: {explanation.reason ?? 'the reason was erased'}
          </p>
        )}
        <p className="mt-1 text-xs text-ink-faint">
          <UtcTime iso={at} />
          {eventId !== null && (
            <>
              {' · '}
              <Link
                to={eventPath(eventId)}
                className="-my-3 py-3 text-ink-muted underline decoration-line-strong underline-offset-4"
              >
                Open the event
              </Link>
            </>
          )}
        </p>
      </div>
      <div className="flex items-center justify-between gap-4 sm:flex-col sm:items-end sm:gap-2">
        <p className="text-ink tabular-nums sm:text-right">
          {formatUsdCents(cents)}
          {feeCents !== 0 && <span className="block text-xs text-ink-faint">fee {formatUsdCents(feeCents)}</span>}
        </p>
        {status === 'flagged' && (
          <Button size="sm" onClick={onExplain} aria-label={`Explain ${name} ${id}`}>
            Explain
          </Button>
        )}
      </div>
    </li>
  );
}
