import { FactCodec } from '../fact-codec.js';
import type { ChatEvent } from './events.js';

const BASE = { chatId: 'text', initiatorId: 'text', hostId: 'text', at: 'number' } as const;
const COUNTS = { exchanges: 'number', totalCharacters: 'number', hostCharacters: 'number' } as const;

const codec = new FactCodec<ChatEvent>({
  ChatRequested: { ...BASE, price: 'minor', acceptBy: 'number' },
  ChatRequestAbandoned: BASE,
  ChatAccepted: { ...BASE, verifyBy: 'number' },
  ChatDeclined: BASE,
  ChatRequestExpired: BASE,
  ChatMessageSent: { ...BASE, messageId: 'text', senderId: 'text', side: 'text', characters: 'number', ...COUNTS },
  ChatSucceeded: { ...BASE, ...COUNTS, rateBy: 'number' },
  ChatTerminated: { ...BASE, by: 'text', cause: 'text', due: 'minor', ...COUNTS },
  ChatVerified: { ...BASE, side: 'text', isSuccessful: 'boolean' },
  ChatNudged: { ...BASE, side: 'text' },
  ChatRated: { ...BASE, side: 'text', raterId: 'text', ratedId: 'text', rating: 'number', follow: 'boolean' },
  ChatCompleted: {
    ...BASE,
    reason: 'text',
    initiatorRating: 'nullable-number',
    hostRating: 'nullable-number',
    thread: 'boolean',
  },
});

/** The bytes of a chat event's data, as they are stored. */
export const encodeChatEvent = (event: ChatEvent): string => codec.encode(event);

/** @throws UnreadableFact for what this version does not know */
export const decodeChatEvent = (type: string, data: string): ChatEvent => codec.decode(type, data);
