import type { Schemas } from '@/shared/api';

/** A post as its viewer sees it. */
export type Post = Schemas['PostDto'];
export type FeedPage = Schemas['FeedDto'];
export type StatusBar = Schemas['StatusBarDto'];
/** What a viewer does with a post, for its points. */
export type EngagementEvent = Schemas['EngagementEventDto'];
export type ViewEventType = Extract<EngagementEvent['eventType'], 'impression' | `${string}_view`>;
export type ScrollPaid = Schemas['ScrollDto'];
