import { PROGRESS_PER_EXCHANGE, PROGRESS_WHOLE, SUCCESS_CHARACTERS, SUCCESS_EXCHANGES } from './constants.js';
import type { ChatCounts } from './events.js';

type Counted = Pick<ChatCounts, 'exchanges' | 'totalCharacters'>;

/** 0 to 600: each exchange counts 60 up to five of them, each character one up to 300. */
const progressParts = ({ exchanges, totalCharacters }: Counted): number =>
  PROGRESS_PER_EXCHANGE * Math.min(exchanges, SUCCESS_EXCHANGES) + Math.min(totalCharacters, SUCCESS_CHARACTERS);

/**
 * A chat's progress, 0 to 1 (rules chats-14, chats-22): shown by the bar, and the part that an initiator owes who
 * breaks off.
 */
export const chatProgress = (counts: Counted): number => progressParts(counts) / PROGRESS_WHOLE;

export const isSuccess = ({ exchanges, totalCharacters }: Counted): boolean =>
  exchanges >= SUCCESS_EXCHANGES && totalCharacters >= SUCCESS_CHARACTERS;

/**
 * The amount that an initiator who breaks off owes: price × progress, rounded down to the minor unit; nothing without a
 * whole exchange.
 * @param price minor units
 */
export const dueOnBreakingOff = (price: bigint, counts: Counted): bigint =>
  counts.exchanges === 0 ? 0n : (price * BigInt(progressParts(counts))) / BigInt(PROGRESS_WHOLE);
