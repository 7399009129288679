import { FactCodec } from '../fact-codec.js';
import type { EngagementEvent } from './events.js';

const ON_POST = { postId: 'text', authorId: 'text', viewerId: 'text' } as const;

const codec = new FactCodec<EngagementEvent>({
  PostEngaged: { ...ON_POST, kind: 'text', points: 'number', at: 'number' },
  PostLiked: { ...ON_POST, at: 'number' },
  PostUnliked: { ...ON_POST, at: 'number' },
  PostRated: { ...ON_POST, rating: 'number', at: 'number' },
  PostBoosted: { memberId: 'text', postId: 'text', until: 'number', at: 'number' },
  PriorityTaken: { memberId: 'text', until: 'number', at: 'number' },
});

/** The bytes of an engagement event's data, as they are stored. */
export const encodeEngagementEvent = (event: EngagementEvent): string => codec.encode(event);

/** @throws UnreadableFact for what this version does not know */
export const decodeEngagementEvent = (type: string, data: string): EngagementEvent => codec.decode(type, data);
