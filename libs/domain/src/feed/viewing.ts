import { invariant } from '../ledger/invariant.js';
import { ENGAGEMENT_POINTS, type EngagementKind } from './constants.js';
import type { PostEvent } from './events.js';

/** One viewer's actions on one post, from the events of `engagement-{postId}:{viewerId}`. */
export interface Viewing {
  readonly done: ReadonlySet<EngagementKind>;
  readonly liked: boolean;
  readonly rating: number | null;
  /** The number of events (limit: `VIEWING_EVENTS_MAX`). */
  readonly events: number;
}

export const newViewing: Viewing = { done: new Set(), liked: false, rating: null, events: 0 };

/** Bounds the stream, which is read completely before every change. */
export const VIEWING_EVENTS_MAX = 500;

export type ViewingCommand =
  | { readonly type: 'Engage'; readonly kind: EngagementKind }
  | { readonly type: 'Like' | 'Unlike' }
  | { readonly type: 'Rate'; readonly rating: number };

export interface Viewer {
  readonly postId: string;
  readonly authorId: string;
  readonly viewerId: string;
}

export type ViewingDecision =
  | { readonly events: readonly PostEvent[] }
  | { readonly rejection: { readonly code: 'TOO_MANY'; readonly message: string } };

/** Decides what a viewer does with somebody else's post: each kind counts once (rule feed-6). */
export function decideViewing(
  state: Viewing,
  command: ViewingCommand,
  { viewer, nowMs }: { readonly viewer: Viewer; readonly nowMs: number },
): ViewingDecision {
  const events = eventsOf(state, command, { ...viewer, at: nowMs });
  if (events.length === 0 || state.events < VIEWING_EVENTS_MAX) return { events };
  return { rejection: { code: 'TOO_MANY', message: 'You have changed your mind about this post too often.' } };
}

function eventsOf(state: Viewing, command: ViewingCommand, facts: Viewer & { readonly at: number }): PostEvent[] {
  switch (command.type) {
    case 'Engage': {
      const { kind } = command;
      return state.done.has(kind) ? [] : [{ type: 'PostEngaged', ...facts, kind, points: ENGAGEMENT_POINTS[kind] }];
    }
    case 'Like':
      return state.liked ? [] : [{ type: 'PostLiked', ...facts }];
    case 'Unlike':
      return state.liked ? [{ type: 'PostUnliked', ...facts }] : [];
    case 'Rate':
      return state.rating === command.rating ? [] : [{ type: 'PostRated', ...facts, rating: command.rating }];
  }
}

/** @throws LedgerInvariantError a kind that was counted before */
export function evolveViewing(state: Viewing, event: PostEvent): Viewing {
  const events = state.events + 1;
  switch (event.type) {
    case 'PostEngaged':
      invariant(!state.done.has(event.kind), () => `${event.kind} of ${event.postId} was counted twice`);
      return { ...state, events, done: new Set(state.done).add(event.kind) };
    case 'PostLiked':
      return { ...state, events, liked: true };
    case 'PostUnliked':
      return { ...state, events, liked: false };
    case 'PostRated':
      return { ...state, events, rating: event.rating };
  }
}
