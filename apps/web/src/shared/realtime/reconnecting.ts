/** From a close to the next attempt (rule realtime-14). */
export const RECONNECT_MS = 5_000;

/** The session ended; another may have taken its place, when the same member signed in at another tab. */
export const SESSION_ENDED = 4401;

const NORMAL_CLOSURE = 1000;
const GOING_AWAY = 1001;

/** After a close with any code other than 1000 or 1001 it connects again (rule realtime-14). */
export const reconnectsAfter = (code: number): boolean => code !== NORMAL_CLOSURE && code !== GOING_AWAY;
