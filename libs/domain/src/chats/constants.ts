/** Constants of paid chats. Times are in milliseconds. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The host has two minutes to accept (rule chats-6). */
export const ACCEPT_WITHIN_MS = 2 * MINUTE_MS;
/** From acceptance to the host's first message (rule chats-10). */
export const FIRST_HOST_MESSAGE_WITHIN_MS = 3 * MINUTE_MS;
/** An active chat without a message for this long ends (rule chats-11). */
export const IDLE_CHAT_MS = 24 * HOUR_MS;
/** Rating closes, and rewards are released, after this time at the latest (rule chats-25). */
export const RATE_WITHIN_MS = 7 * 24 * HOUR_MS;
/** After a declined or expired request between the same two (rule chats-8). */
export const REQUEST_COOLDOWN_MS = 60 * SECOND_MS;
/** Rule chats-17. */
export const NUDGE_EVERY_MS = MINUTE_MS;

/** A video call rings this long (rule chats-36). */
export const CALL_RINGS_MS = 45 * SECOND_MS;

/** Chat success, each counted as up to half of the progress (rule chats-14). */
export const SUCCESS_EXCHANGES = 5;
export const SUCCESS_CHARACTERS = 300;
/** Progress = (60 × exchanges + characters) / 600, both capped (rule chats-14). */
export const PROGRESS_PER_EXCHANGE = 60;
export const PROGRESS_WHOLE = 600;

/** Unicode code points of the trimmed text (rule chats-16). */
export const MESSAGE_CHARACTERS_MAX = 2_000;
/** Bounds the stream. A chat succeeds or ends long before. */
export const MESSAGES_PER_CHAT_MAX = 5_000;

/** Ratings, reviews and explanations (rule ratings-1). */
export const CHAT_RATING_MIN = 1;
export const CHAT_RATING_MAX = 100;
export const LOW_RATING_MAX = 75;
export const REVIEW_CHARACTERS_MIN = 50;
export const REVIEW_CHARACTERS_MAX = 100;
export const EXPLANATION_CHARACTERS_MIN = 30;
export const EXPLANATION_CHARACTERS_MAX = 100;
export const REVIEW_MESSAGE = `Your review must be between ${REVIEW_CHARACTERS_MIN} and ${REVIEW_CHARACTERS_MAX} characters.`;
export const EXPLANATION_MESSAGE = `Your explanation must be between ${EXPLANATION_CHARACTERS_MIN} and ${EXPLANATION_CHARACTERS_MAX} characters.`;
/** Both sides at or above make a thread (rule nexus-1). */
export const THREAD_RATING_MIN = 75;
/** The minimum chat price, in US dollars (rule profiles-4). */
export const MINIMUM_CHAT_PRICE_FLOOR = 0.5;
export const MINIMUM_CHAT_PRICE_STEP = 0.5;
export const MINIMUM_CHAT_PRICE_DEFAULT = 1;
