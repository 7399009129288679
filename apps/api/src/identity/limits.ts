export {
  DEVICES_MAX,
  DISPLAY_NAME_MAX,
  EMAIL_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PIN,
  SEARCH_MIN,
  TERMS_VERSION,
} from '@app/domain';

/** Sessions of one device: with more, the oldest end. */
export const SESSIONS_OF_DEVICE_MAX = 10;
const HOUR_MS = 60 * 60 * 1000;
/**
 * After this many wrong PINs recovery by PIN pauses: for the first of these times, then the next, then always the last.
 */
export const WRONG_PINS_MAX = 5;
export const RECOVERY_PAUSES_MS = [HOUR_MS, 4 * HOUR_MS, 24 * HOUR_MS];
/** Wrong PINs and pauses from before count no longer. */
export const RECOVERY_FORGOTTEN_MS = 7 * 24 * HOUR_MS;
/** Addresses without an account whose wrong PINs are remembered. */
export const RECOVERIES_OF_NOBODY_MAX = 10_000;
/** A search for members answers so many at most. */
export const SEARCH_RESULTS_MAX = 20;
/** Shown while nobody has rated a member (rule profiles-6). */
export { RATING_SHOWN_BY_DEFAULT } from '@app/domain';
/** What is kept of a browser's description of itself. */
export const USER_AGENT_MAX = 400;
/** Security notices that are kept for a member. */
export const NOTICES_MAX = 50;
/** Older notices are still listed, but are no news on any device. */
export const NOTICES_TOLD_DAYS = 30;
