import { useSyncExternalStore } from 'react';
import { steppedClock } from '@/shared/hooks/stepped-clock';

const SECOND_MS = 1_000;

/** Whole seconds until a moment by the server's clock; 0 once it has passed, null without a moment. */
const secondsUntil = (iso: string | null, nowMs: number): number | null =>
  iso === null ? null : Math.max(0, Math.ceil((Date.parse(iso) - nowMs) / SECOND_MS));

/** Formats seconds like `1:59`. */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** Formats seconds roughly, like `23 h`, `59 min`, or exactly like `1:59` once few minutes are left. */
export function timeLeft(seconds: number): string {
  if (seconds >= HOUR_S) return `${Math.floor(seconds / HOUR_S)} h`;
  return seconds >= 5 * MINUTE_S ? `${Math.floor(seconds / MINUTE_S)} min` : minutesAndSeconds(seconds);
}

/** Whole seconds since a moment in milliseconds by the server's clock; null without a moment. */
export function useSecondsSince(sinceMs: number | null): number | null {
  return useSyncExternalStore(sinceMs === null ? never : clock.subscribe, () =>
    sinceMs === null ? null : Math.max(0, Math.floor((clock.nowMs() - sinceMs) / SECOND_MS)),
  );
}

const clock = steppedClock(SECOND_MS);
const never = (): (() => void) => () => undefined;

/** Counts down to a moment in seconds; null without a moment. */
export function useSecondsUntil(iso: string | null): number | null {
  return useSyncExternalStore(iso === null ? never : clock.subscribe, () => secondsUntil(iso, clock.nowMs()));
}
