import { FactCodec } from '../fact-codec.js';
import type { ContentEvent } from './events.js';

const codec = new FactCodec<ContentEvent>({
  ContentPublished: { contentId: 'text', authorId: 'text', surface: 'text', at: 'number' },
  ContentRemoved: { contentId: 'text', authorId: 'text', at: 'number' },
  CardContentChosen: { memberId: 'text', contentId: 'nullable-text', at: 'number' },
});

/** The bytes of a content event's data, as they are stored. */
export const encodeContentEvent = (event: ContentEvent): string => codec.encode(event);

/** @throws UnreadableFact for what this version does not know */
export const decodeContentEvent = (type: string, data: string): ContentEvent => codec.decode(type, data);
