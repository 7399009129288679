import type { EngagementKind } from './constants.js';

interface OnPost<T extends string> {
  readonly type: T;
  readonly postId: string;
  readonly authorId: string;
  readonly viewerId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A viewer's first action of a kind on a post, and its points. */
export interface PostEngaged extends OnPost<'PostEngaged'> {
  readonly kind: EngagementKind;
  readonly points: number;
}
export type PostLiked = OnPost<'PostLiked'>;
export type PostUnliked = OnPost<'PostUnliked'>;
/** 1 to 100; a later one replaces it. */
export interface PostRated extends OnPost<'PostRated'> {
  readonly rating: number;
}

/** A boost token was used on a post of one's own: its points count double until then. */
export interface PostBoosted {
  readonly type: 'PostBoosted';
  readonly memberId: string;
  readonly postId: string;
  readonly until: number;
  readonly at: number;
}

/** The member used a priority slot: their newest post comes first until this time. */
export interface PriorityTaken {
  readonly type: 'PriorityTaken';
  readonly memberId: string;
  readonly until: number;
  readonly at: number;
}

/** Stream `engagement-{postId}:{viewerId}`: it stays short however popular a post becomes. */
export type PostEvent = PostEngaged | PostLiked | PostUnliked | PostRated;
/** Stream `perks-{memberId}`. */
export type PerkEvent = PostBoosted | PriorityTaken;
export type EngagementEvent = PostEvent | PerkEvent;

export const ENGAGEMENT_STREAM_PREFIX = 'engagement-';
export const PERKS_STREAM_PREFIX = 'perks-';
export const engagementStream = (postId: string, viewerId: string): string =>
  `${ENGAGEMENT_STREAM_PREFIX}${postId}:${viewerId}`;
export const perksStream = (memberId: string): string => `${PERKS_STREAM_PREFIX}${memberId}`;
