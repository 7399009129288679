/** Answers that took longer than this say too little about the server's clock. */
const ROUND_TRIP_MS_MAX = 10_000;
/** A Date header is cut to whole seconds, so half a second is lost on average. */
const DATE_HEADER_HALF_STEP_MS = 500;

let offsetMs = 0;

/**
 * Learns from an answer's Date header how far the server's clock is from this device's. Otherwise a wrong device clock
 * could make idempotency keys from the future, which the server refuses.
 */
export function learnServerTime(dateHeader: string | null, sentAtMs: number, receivedAtMs: number): void {
  if (dateHeader === null || receivedAtMs - sentAtMs > ROUND_TRIP_MS_MAX) return;
  const serverMs = Date.parse(dateHeader);
  if (Number.isNaN(serverMs)) return;
  offsetMs = Math.round(serverMs + DATE_HEADER_HALF_STEP_MS - (sentAtMs + receivedAtMs) / 2);
}

/** The server's time as far as it is known, in milliseconds since 1970; until the first answer, this device's time. */
export const serverNowMs = (): number => Date.now() + offsetMs;
