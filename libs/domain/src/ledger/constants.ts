import { NUMBER_MAX } from '../money/money.js';

/** Constants of the specification. Nova is in minor units. */

const NOVA = 100n;

/** The least and the most of a gift (rule gifts-1). */
export const GIFT_MIN = 1_000n * NOVA;
export const GIFT_MAX = 1_000_000n * NOVA;
/** Half to the recipient, half to the holders of Influence; the listed order takes an odd minor unit (rule gifts-2). */
export const PAYMENT_SPLIT = [50n, 50n] as const;

/** The most rows of an atomic bulk, which is one append (rule admin-16). */
export const BULK_ROWS_MAX = 500;

/** Host, Karma pool, thread pool, treasury (rule chats-24). */
export const CHAT_SPLIT = [50n, 10n, 10n, 30n] as const;
/** One Influence for a host's every fifth chat, one Karma for a member's every fifth (rule chats-27). */
export const CHATS_PER_HOST_INFLUENCE = 5;
export const CHATS_PER_KARMA = 5;

/** The price of Nova, and how much is sold at a time (rules wallet-10, wallet-11). */
export const NOVA_PER_DOLLAR = 1_250;
export const TOP_UP_MIN_NOVA = 1_250;
export const TOP_UP_MAX_NOVA = 10_000_000;
export const TOP_UP_PRESETS = [1_250, 2_500, 5_000] as const;

/** Seyvn value = earned Nova + Influence × 10 + Karma × 5 (rule status-2). */
export const SEYVN_PER_INFLUENCE = 10n * NOVA;
export const SEYVN_PER_KARMA = 5n * NOVA;

/** Prices on cards and posts (rules discovery-12, feed-13). */
export const CARD_UNLOCK_PRICE = 50n * NOVA;
export const CARD_UPVOTE_PRICE = 50n * NOVA;
export const CARD_NAVIGATE_PRICE = 50n * NOVA;
export const FEED_SCROLL_PRICE = 1n * NOVA;
/** 25 Nova for each started 15 characters, 100 characters at most (rule discovery-14). */
const WALL_COMMENT_PRICE = 25n * NOVA;
const WALL_COMMENT_PRICED_CHARACTERS = 15;
export const WALL_COMMENT_MAX = 100;

/** The price of a wall comment of this many Unicode code points, in minor units. */
export const wallCommentPrice = (characters: number): bigint =>
  WALL_COMMENT_PRICE * BigInt(Math.ceil(characters / WALL_COMMENT_PRICED_CHARACTERS));

/** The scale of accumulators and fractions (rule ledger-18). */
export const POOL_SCALE = 1_000_000_000_000n;
/** The most pools that one PoolRewardsPaid pays; a holder of more collects first. */
export const POOLS_PER_PAYOUT_MAX = 1_000;

/** Whichever is less (rule ledger-26). */
export const KEY_WINDOW_MS = 48 * 60 * 60 * 1_000;
export const KEY_WINDOW_MAX = 1_000_000;
/** How far a key's own time may be ahead of the journal's; a key further ahead is refused. */
export const KEY_CLOCK_SKEW_MS = 60_000;

/** The largest amount that a command may name: exact as a JSON number. */
export const AMOUNT_MAX = BigInt(NUMBER_MAX) * NOVA - 1n;

/** The maximum of all Nova, in minor units: half of what a balance can hold, so that Seyvn burned from it also fits. */
export const NOVA_SUPPLY_MAX = 2n ** 61n;

/** Raised whenever `evolve` changes what a state holds: snapshots of another version are discarded. */
export const EVOLVE_VERSION = 4;
