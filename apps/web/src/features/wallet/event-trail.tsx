import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { addNova, api, errorSentence, formatCount, type Schemas } from '@/shared/api';
import { Amount, Button, CopyButton, ErrorNote, formatExactTime, RelativeTime, Skeleton } from '@/shared/ui';
import { accountLabel } from './account-label';
import { SignatureFact, SignatureWarning } from './event-signature';

export interface EventTrailProps {
  startId: string;
  /** The member whose accounts are "mine"; null for an auditor. */
  ownUserId: string | null;
  /** Where an event is kept in the cache, and the path from which it is read. */
  source: {
    keyOf: (id: string) => readonly unknown[];
    path: '/api/nova/transactions/{id}' | '/api/admin/events/{id}';
  };
  /** What can be done about the event that is shown. */
  actionsFor?: (event: Schemas['EventDetailsDto']) => ReactNode;
}

/** An event with links to its counterparts and back (refund ↔ payment), in one place. */
export function EventTrail({ startId, ownUserId, source, actionsFor }: EventTrailProps) {
  const [trail, setTrail] = useState<readonly string[]>([startId]);
  const id = trail.at(-1) ?? startId;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: source.keyOf(id),
    queryFn: ({ signal }) => api.get(source.path, { path: { id }, signal }),
  });
  return (
    <div className="grid grid-cols-1 gap-4">
      {trail.length > 1 && (
        <Button
          size="sm"
          variant="ghost"
          className="-ml-3 justify-self-start"
          icon={<ArrowLeft aria-hidden="true" className="size-4" />}
          onClick={() => setTrail(trail.slice(0, -1))}
        >
          Back to the event before
        </Button>
      )}
      {error !== null && (
        <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
          {errorSentence(error, 'This event could not be loaded.')}
        </ErrorNote>
      )}
      {error === null && data === undefined && <EventSkeleton />}
      {error === null && data !== undefined && (
        <EventDetailsView event={data} ownUserId={ownUserId} onFollow={(eventId) => setTrail([...trail, eventId])} />
      )}
      {error === null && data !== undefined && actionsFor?.(data)}
    </div>
  );
}

function EventSkeleton() {
  return (
    <div aria-label="Loading event" aria-busy="true" className="grid gap-3">
      <Skeleton className="h-4 w-24" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-32" />
    </div>
  );
}

/** Only admins receive the signature and the stored form. */
type EventDetails = Schemas['EventDetailsDto'] & Partial<Schemas['AdminEventDetailsDto']>;

interface EventDetailsViewProps {
  event: EventDetails;
  ownUserId: string | null;
  /** Opens a related event. */
  onFollow: (eventId: string) => void;
}

/** What a journal event did, who and what caused it, and its proof (rule wallet-7). */
function EventDetailsView({ event, ownUserId, onFollow }: EventDetailsViewProps) {
  return (
    <div className="grid grid-cols-1 gap-5">
      {event.signature !== undefined && <SignatureWarning signature={event.signature} />}
      <Entries entries={event.entries} ownUserId={ownUserId} />
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
        <Fact label="Event">
          {event.type} <span className="text-ink-faint">· revision {formatCount(event.revision)}</span>
        </Fact>
        <Fact label="When">
          <ExactTime iso={event.createdAt} />
        </Fact>
        <Fact label="By">
          <Actor actor={event.actor} />
        </Fact>
        {event.cause !== null && <Fact label="Cause">{event.cause}</Fact>}
        {event.reason !== null && (
          <Fact label="Reason">
            <bdi>{event.reason}</bdi>
          </Fact>
        )}
        {event.reversal !== null && (
          <Fact label="Reversed">
            <Amount value={event.reversal.returned} /> came back <RelativeTime iso={event.reversal.at} />
          </Fact>
        )}
        {event.note !== null && (
          <Fact label="Note">
            <bdi>{event.note}</bdi>
          </Fact>
        )}
        {event.signature !== undefined && <SignatureFact signature={event.signature} />}
        <Proof label="Event id" value={event.eventId} />
        <Proof label="Hash" value={event.hash} />
        <Proof label="Previous hash" value={event.previousHash} />
      </dl>
      {event.related.length > 0 && <Related event={event} onFollow={onFollow} />}
      {event.data !== undefined && <Stored data={event.data} />}
    </div>
  );
}

function Entries({ entries, ownUserId }: { entries: readonly Schemas['EntryDto'][]; ownUserId: string | null }) {
  if (entries.length === 0) return <p className="text-sm text-ink-muted">This event moved nothing.</p>;
  return (
    <div>
      <table className="w-full text-sm">
        <caption className="mb-1 text-left text-xs font-medium text-ink-muted">Entries</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-y border-line">
          {entries.map((entry) => (
            <tr key={`${entry.account} ${entry.currency}`}>
              <td className="py-2 pr-4">
                <span className="block text-ink">{accountLabel(entry.account, ownUserId)}</span>
                <span className="block font-mono text-xs break-all text-ink-faint">{entry.account}</span>
              </td>
              <td className="py-2 text-right align-top whitespace-nowrap">
                <EntryAmount entry={entry} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {ownUserId !== null && !isBalanced(entries) && (
        <p className="mt-2 text-xs text-ink-faint">Only other members see the entries of their accounts.</p>
      )}
    </div>
  );
}

/** A complete event sums to zero in every currency; otherwise, only a part of it is shown. */
const isBalanced = (entries: readonly Schemas['EntryDto'][]): boolean =>
  entries.every(
    ({ currency }) =>
      addNova(...entries.filter((entry) => entry.currency === currency).map(({ amount }) => amount)) === 0,
  );

function EntryAmount({ entry: { currency, amount } }: { entry: Schemas['EntryDto'] }) {
  if (currency === 'NOVA') return <Amount value={amount} signed />;
  const sign = amount < 0 ? '−' : '+';
  return (
    <span className="tabular-nums">
      {sign}
      {formatCount(Math.abs(amount))} <span className="text-xs text-ink-faint">{currency}</span>
    </span>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs font-medium text-ink-muted">{label}</dt>
      <dd className="mt-0.5 text-sm break-words text-ink">{children}</dd>
    </div>
  );
}

/** An id or a hash, in full and copyable. */
function Proof({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0 sm:col-span-2">
      <dt className="text-xs font-medium text-ink-muted">{label}</dt>
      <dd className="mt-0.5 flex items-center gap-1">
        <code className="min-w-0 text-xs break-all text-ink">{value === '' ? 'None: the first event' : value}</code>
        {value !== '' && <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} className="-my-2" />}
      </dd>
    </div>
  );
}

function ExactTime({ iso }: { iso: string }) {
  return (
    <>
      {formatExactTime(iso)} <RelativeTime iso={iso} className="text-ink-faint before:content-['·_']" />
    </>
  );
}

function Actor({ actor }: { actor: EventDetails['actor'] }) {
  if (actor.displayName === null) return <span className="capitalize">{actor.kind}</span>;
  return (
    <>
      <bdi>{actor.displayName}</bdi> <span className="text-ink-faint">· {actor.kind}</span>
    </>
  );
}

function Related({ event, onFollow }: Pick<EventDetailsViewProps, 'event' | 'onFollow'>) {
  return (
    <div>
      <p id={`${event.eventId}-related`} className="text-xs font-medium text-ink-muted">
        Related events
      </p>
      <ul aria-labelledby={`${event.eventId}-related`} className="mt-1 grid gap-1">
        {event.related.map((other) => (
          <li key={other.eventId}>
            <Button variant="ghost" size="sm" className="-ml-3 max-w-full" onClick={() => onFollow(other.eventId)}>
              <bdi dir="ltr" className="truncate">
                {other.description}
              </bdi>
              <ArrowRight aria-hidden="true" className="size-4 shrink-0" />
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The event as the journal stores it; the server sends it only to admins. */
function Stored({ data }: { data: unknown }) {
  const text = JSON.stringify(data, null, 2);
  return (
    <details className="rounded-md border border-line">
      <summary className="min-h-11 px-3 py-2.5 text-sm font-medium text-ink-muted hover:text-ink">As stored</summary>
      {/* The copy button stays in the corner, and makes the scrolling part reachable by keyboard. */}
      <div className="max-h-80 overflow-auto border-t border-line">
        <CopyButton
          text={text}
          label="Copy the stored event"
          className="sticky top-1 right-1 float-right m-1 bg-sky-800"
        />
        <pre className="p-3 text-xs text-ink">{text}</pre>
      </div>
    </details>
  );
}
