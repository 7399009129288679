import { Scale } from 'lucide-react';
import { errorSentence, formatUsdCents } from '@/shared/api';
import { Button, Card, ErrorNote, RelativeTime, Skeleton } from '@/shared/ui';
import { doerName } from '../doer-name';
import { UtcTime } from '../finance/moment-note';
import { useBeginRun, useLastRun, type ReconciliationRun } from './use-reconciliation';

/** When was looked last, what was found, and the way to look now. */
export function LastRun() {
  const last = useLastRun();
  const begin = useBeginRun();
  const run = last.data?.runs[0];
  return (
    <Card
      title="Reconciliation"
      description="Once a day Nova compares the payment provider’s balance with the ledger: the last seven days, and every open difference from before."
      actions={
        <Button
          icon={<Scale aria-hidden="true" className="size-4" />}
          pending={begin.isPending || run?.state === 'running'}
          onClick={() => begin.mutate()}
        >
          Reconcile now
        </Button>
      }
    >
      {last.error !== null && (
        <ErrorNote onRetry={() => void last.refetch()} retrying={last.isFetching}>
          {errorSentence(last.error, 'The last run could not be loaded.')}
        </ErrorNote>
      )}
      {last.error === null && last.data === undefined && <Skeleton className="h-16" />}
      {last.data !== undefined && run === undefined && (
        <p className="text-sm text-ink-muted">There has been no run yet.</p>
      )}
      {run !== undefined && <Found run={run} />}
    </Card>
  );
}

function Found({ run }: { run: ReconciliationRun }) {
  const { from, until, startedAt, state, matched, explained, flagged, grossCents, feeCents, netCents } = run;
  const figures = [
    ['Matched', String(matched)],
    ['Explained', String(explained)],
    ['Flagged', String(flagged)],
    ['Moved', formatUsdCents(grossCents)],
    ['Fees', formatUsdCents(feeCents)],
    ['Net', formatUsdCents(netCents)],
  ] as const;
  return (
    <>
      <p className="mb-4 text-sm text-ink-muted">
        {state === 'running' && 'Going on since '}
        {state === 'failed' && 'The last run did not finish. It started '}
        {state === 'done' && 'Last look: '}
        <RelativeTime iso={startedAt} />, by <bdi>{doerName(run)}</bdi>: <UtcTime iso={from} /> to{' '}
        <UtcTime iso={until} />.
      </p>
      {state === 'done' && (
        <dl className="grid grid-cols-3 gap-x-4 gap-y-3 cramped:grid-cols-1 lg:grid-cols-6">
          {figures.map(([label, value]) => (
            <div key={label} className="min-w-0">
              <dt className="text-xs font-medium text-ink-muted">{label}</dt>
              <dd className="mt-0.5 text-base font-semibold text-ink tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
