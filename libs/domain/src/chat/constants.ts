/** Numbers of paid chats, each in this one place, with the section that it comes from. Times in milliseconds. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** S0 §9: the host has two minutes to accept. */
export const ACCEPT_WITHIN_MS = 2 * MINUTE_MS;
/** S0 §9, the verify deadline: from acceptance to the host's first message. */
export const FIRST_HOST_MESSAGE_WITHIN_MS = 3 * MINUTE_MS;
/** S0 §9 session max age: so long without a message ends an active chat. */
export const IDLE_CHAT_MS = 24 * HOUR_MS;
/** `decisions.md`, Chats: rating closes and rewards are released then at the latest. */
export const RATE_WITHIN_MS = 7 * 24 * HOUR_MS;
/** `decisions.md`, Chats: after a declined or expired request between the same two. */
export const REQUEST_COOLDOWN_MS = 60 * SECOND_MS;
/** `decisions.md`, Chats. */
export const NUDGE_EVERY_MS = MINUTE_MS;

/** S0 §9: chat success, each counted as up to half of the progress. */
export const SUCCESS_EXCHANGES = 5;
export const SUCCESS_CHARACTERS = 300;
/** `decisions.md`, Chats: progress = (60 × exchanges + characters) / 600, both capped. */
export const PROGRESS_PER_EXCHANGE = 60;
export const PROGRESS_WHOLE = 600;

/** `decisions.md`, Chats: Unicode code points of the trimmed text. */
export const MESSAGE_CHARACTERS_MAX = 2_000;
/** A chat succeeds or ends long before: a limit, so that no stream grows without one. */
export const MESSAGES_PER_CHAT_MAX = 5_000;

/** S1 §9 Ratings and reviews. */
export const CHAT_RATING_MIN = 1;
export const CHAT_RATING_MAX = 100;
export const LOW_RATING_MAX = 75;
export const REVIEW_CHARACTERS_MIN = 50;
export const REVIEW_CHARACTERS_MAX = 100;
export const EXPLANATION_CHARACTERS_MIN = 30;
export const EXPLANATION_CHARACTERS_MAX = 100;
export const REVIEW_MESSAGE = `Your review must be between ${REVIEW_CHARACTERS_MIN} and ${REVIEW_CHARACTERS_MAX} characters.`;
export const EXPLANATION_MESSAGE = `Your explanation must be between ${EXPLANATION_CHARACTERS_MIN} and ${EXPLANATION_CHARACTERS_MAX} characters.`;
/** S0 §9: both sides at or above make a thread. */
export const THREAD_RATING_MIN = 75;
/** S1 §5 Minimum chat price, in US dollars. */
export const MINIMUM_CHAT_PRICE_FLOOR = 0.5;
export const MINIMUM_CHAT_PRICE_STEP = 0.5;
export const MINIMUM_CHAT_PRICE_DEFAULT = 1;
