import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { api, errorSentence } from '@/shared/api';
import { Button, ErrorNote, Skeleton } from '@/shared/ui';
import { EventDetailsView } from './event-details-view';

export interface EventTrailProps {
  startId: string;
  /** Whose accounts are "mine"; null for an auditor. */
  ownUserId: string | null;
  /** Where an event is kept in the cache, and the path that it is read from. */
  source: {
    keyOf: (id: string) => readonly unknown[];
    path: '/api/nova/transactions/{id}' | '/api/admin/events/{id}';
  };
}

/** An event, and from it to its counterparts and back (refund ↔ payment), in one place. */
export function EventTrail({ startId, ownUserId, source }: EventTrailProps) {
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
