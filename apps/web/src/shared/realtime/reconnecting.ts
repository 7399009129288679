/** S0 §9: socket reconnect delay. */
export const RECONNECT_MS = 5_000;

/** The session ended; another may have taken its place, when the same member signed in at another tab. */
export const SESSION_ENDED = 4401;

const NORMAL_CLOSURE = 1000;
const GOING_AWAY = 1001;

/** S0 §4: after a close with any code other than 1000 or 1001 it connects again. */
export const reconnectsAfter = (code: number): boolean => code !== NORMAL_CLOSURE && code !== GOING_AWAY;
