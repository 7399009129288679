import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { errorSentence, sayAmount } from '@/shared/api';
import { Badge, Button, Card, Dialog, EmptyState, ErrorNote, RelativeTime } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import { SkeletonRows } from '../list-body';
import { MemberLink } from '../member-link';
import { useRemoveWatch, useWatches, type Watch } from './use-watches';
import { WatchForm, watchedLabel } from './watch-form';

/** Balances that tell admins when they go beyond a limit (rule admin-22). */
export function WatchesSection() {
  const watches = useWatches();
  const [isAdding, setAdding] = useState(false);
  const { data } = watches;
  return (
    <Card
      title="Watches"
      description="A balance that goes beyond its limit is told here, in the log and in the metrics, once each time."
      flush
      aria-busy={watches.isFetching}
      actions={
        <Button
          icon={<Eye aria-hidden="true" className="size-4" />}
          disabled={data === undefined || data.watches.length >= data.max}
          onClick={() => setAdding(true)}
        >
          Watch a balance
        </Button>
      }
    >
      {watches.error !== null && (
        <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void watches.refetch()} retrying={watches.isFetching}>
          {errorSentence(watches.error, 'The watches could not be loaded.')}
        </ErrorNote>
      )}
      {watches.error === null && data === undefined && <SkeletonRows label="Loading watches" count={3} />}
      {data?.watches.length === 0 && (
        <EmptyState icon={Eye} title="No watches yet" text="Name an account or a total, and a limit." />
      )}
      {data !== undefined && data.watches.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {data.watches.map((watch) => (
            <WatchItem key={watch.id} watch={watch} />
          ))}
        </ul>
      )}
      <Dialog
        open={isAdding}
        onOpenChange={setAdding}
        title="Watch a balance"
        description="From now on, every event of the ledger is looked at."
      >
        {isAdding && <WatchForm onDone={() => setAdding(false)} />}
      </Dialog>
    </Card>
  );
}

/** What is watched, how it stands, and when it went beyond its limit. */
function WatchItem({ watch }: { watch: Watch }) {
  const { id, account, member, direction, limit, balance, isBeyond, setBy, setAt, reason, crossings } = watch;
  const remove = useRemoveWatch(id);
  return (
    <li aria-label={watchedLabel(account)} className="flex flex-col gap-3 p-4 text-sm sm:flex-row sm:px-6">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5">
        <p className="flex flex-wrap items-center gap-2 font-medium text-ink">
          <span className="wrap-anywhere">{watchedLabel(account)}</span>
          {member !== null && <MemberLink name={member} />}
          {isBeyond && <Badge tone="hold">Beyond</Badge>}
        </p>
        <p className="text-ink-muted">
          {direction === 'above' ? 'Above' : 'Below'} {sayAmount(limit)} ·{' '}
          {balance === null ? 'not looked at yet' : `now ${sayAmount(balance)}`}
        </p>
        {reason !== null && (
          <p dir="auto" className="max-w-prose wrap-anywhere text-ink-muted">
            {reason}
          </p>
        )}
        {crossings.length > 0 && (
          <ul aria-label="Crossings" className="text-xs text-ink-muted">
            {crossings.map(({ eventId, balance: then, at }) => (
              <li key={eventId}>
                <Link to={eventPath(eventId)} className="inline-flex min-h-6 items-center underline underline-offset-4">
                  Crossed at {sayAmount(then)}
                </Link>{' '}
                <RelativeTime iso={at} />
              </li>
            ))}
          </ul>
        )}
        <p className="text-xs text-ink-faint">
          Set by <bdi>{setBy.displayName}</bdi> <RelativeTime iso={setAt} />
        </p>
      </div>
      <div>
        <Button size="sm" pending={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </div>
    </li>
  );
}
