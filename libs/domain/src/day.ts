export const DAY_MS = 24 * 60 * 60 * 1_000;

/** The UTC day of a time, as `2026-11-21`. */
export const utcDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** When the UTC day of a time ends and the next begins, in milliseconds since 1970. */
export const nextUtcDayMs = (atMs: number): number => (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;
