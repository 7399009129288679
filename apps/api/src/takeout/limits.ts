import type { RoundTimes } from '../platform/rounds.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const GB = 1_073_741_824;

/** How many takeouts a member may order in 24 hours. One is made at a time. */
export const TAKEOUTS_A_DAY_MAX = 3;
/** How long a finished one can be downloaded. A newer one replaces it. */
export const KEPT_MS = 7 * DAY_MS;
export const COUNTED_MS = DAY_MS;
/** Of the finished file. A member's files are limited by their quota (rule uploads-6), words and rows take far less. */
export const BYTES_MAX = 4 * GB;
/** A server that dies leaves its attempt to the next one after this time. */
export const LEASE_MS = 30_000;
export const RENEW_MS = 2_000;
/** Of one attempt. */
export const ATTEMPT_MS_MAX = 60 * MINUTE_MS;
export const ATTEMPTS_MAX = 3;
/** Each server makes one at a time. */
export const LOOK: RoundTimes = { firstAfterMs: 1_000, everyMs: 1_000 };
export const REMOVED_PER_ROUND = 100;
