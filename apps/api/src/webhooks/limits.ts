const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Endpoints of one application. */
export const ENDPOINTS_MAX = 10;
export const ENDPOINT_URL_MAX = 1_024;

/**
 * How long after each failed attempt the next one follows. After the last, three days after the first attempt, a delivery is
 * given up.
 */
export const RETRY_PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  MINUTE_MS,
  4 * MINUTE_MS,
  25 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
];
/** An endpoint that nothing has reached for so long is switched off once a delivery is given up. */
export const FAILING_HOURS_MAX = 72;

/** For all of one attempt, from the look-up of the name to the last byte of the answer. */
export const ATTEMPT_MS_MAX = 10 * SECOND_MS;
/** How much of an answer is read. The connection is closed then. */
export const ANSWER_BYTES_MAX = 65_536;
/** How much of an answer the log keeps, in characters. */
export const ANSWER_KEPT_MAX = 1_024;
/** How many attempts of a delivery the log keeps: the newest. */
export const ATTEMPTS_KEPT_MAX = 20;

/** Deliveries are kept for so long, and the newest of each endpoint alone, waiting ones included. */
export const DELIVERIES_KEPT_DAYS = 30;
export const DELIVERIES_KEPT_MAX = 100_000;

/** For how long the secret before stays valid beside a new one. */
export const ROTATION_HOURS = 24;

/** Attempts that go on at once, and how many of them for one developer. */
export const PLACES_MAX = 512;
export const PLACES_OF_OWNER_MAX = 96;
/** Attempts at once for endpoints that did not answer quickly lately, or never were asked; and for one developer's. */
export const UNPROVEN_PLACES_MAX = 128;
export const UNPROVEN_PLACES_OF_OWNER_MAX = 16;
/** Attempts at once for one endpoint: at first, at least and at most. Quick answers add places, failures halve them. */
export const PLACES_OF_ENDPOINT = { first: 4, min: 2, max: 96 } as const;
/** An answer that took longer adds no place, and takes some away. */
export const QUICK_ANSWER_MS = 1_000;
