import { queryKeys } from '@/shared/api';
import { EventTrail } from '../../wallet/event-trail';

const EVERY_EVENT = {
  keyOf: (id: string) => [...queryKeys.admin, 'events', id],
  path: '/api/admin/events/{id}',
} as const;

/** An event as an auditor sees it: every entry, the actor and reason, the hash chain and the event as stored. */
export function AdminEvent({ eventId }: { eventId: string }) {
  return <EventTrail startId={eventId} ownUserId={null} source={EVERY_EVENT} />;
}
