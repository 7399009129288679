/** S0 §9: devices of one account. */
export const DEVICES_MAX = 10;
/** Sessions of one device: with more, the oldest end. */
export const SESSIONS_OF_DEVICE_MAX = 10;
/** S0 §9: the terms that members accept. */
export const TERMS_VERSION = '1.0';
/** `decisions.md`, Identity. */
export const PASSWORD_MIN = 8;
/** Bounds the work of hashing; no specification names it. */
export const PASSWORD_MAX = 128;
export { DISPLAY_NAME_MAX } from '@app/domain';
/** RFC 5321: the longest address that mail can be sent to. */
export const EMAIL_MAX = 254;
/** S0 §5: digits of a recovery PIN. */
export const PIN = /^[0-9]{4,6}$/;
const HOUR_MS = 60 * 60 * 1000;
/** Each so many wrong PINs pause recovery by PIN: for the first of these times, then the next, then always the last. */
export const WRONG_PINS_MAX = 5;
export const RECOVERY_PAUSES_MS = [HOUR_MS, 4 * HOUR_MS, 24 * HOUR_MS];
/** Wrong PINs and pauses from before count no longer. */
export const RECOVERY_FORGOTTEN_MS = 7 * 24 * HOUR_MS;
/** Addresses without an account whose wrong PINs are remembered. */
export const RECOVERIES_OF_NOBODY_MAX = 10_000;
/** S1 §9: user search begins with the third character, and answers so many at most. */
export const SEARCH_MIN = 3;
export const SEARCH_RESULTS_MAX = 20;
/** S1 §9, Defaults shown: while nobody has rated a member. */
export { RATING_SHOWN_BY_DEFAULT } from '@app/domain';
/** What is kept of a browser's description of itself. */
export const USER_AGENT_MAX = 400;
/** Security notices that are kept for a member. */
export const NOTICES_MAX = 50;
/** Older notices are still listed, but are no news on any device. */
export const NOTICES_TOLD_DAYS = 30;
