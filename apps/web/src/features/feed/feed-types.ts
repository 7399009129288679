import type { Schemas } from '@/shared/api';

/** A post as its viewer sees it. */
export type Post = Schemas['PostDto'];
export type FeedPage = Schemas['FeedDto'];
export type StatusBar = Schemas['StatusBarDto'];
/** A viewer's action on a post, which earns points. */
export type EngagementEvent = Schemas['EngagementEventDto'];
export type ViewEventType = Extract<EngagementEvent['eventType'], 'impression' | `${string}_view`>;
export type ScrollPaid = Schemas['ScrollDto'];
