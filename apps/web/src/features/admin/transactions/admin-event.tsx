import { queryKeys, type Schemas } from '@/shared/api';
import { EventTrail } from '../../wallet/event-trail';
import { ReverseMovement } from './reverse-movement';

const EVERY_EVENT = {
  keyOf: (id: string) => [...queryKeys.admin, 'events', id],
  path: '/api/admin/events/{id}',
} as const;

const reversalOf = (event: Schemas['EventDetailsDto']) => <ReverseMovement key={event.eventId} event={event} />;

/** An event as an auditor sees it: every entry, the actor and reason, the hash chain and the event as stored. */
export function AdminEvent({ eventId }: { eventId: string }) {
  return <EventTrail startId={eventId} ownUserId={null} source={EVERY_EVENT} actionsFor={reversalOf} />;
}
