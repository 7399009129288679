import { useSyncExternalStore } from 'react';
import { serverNowMs } from '@/shared/api';

const SECOND_MS = 1_000;

/** Whole seconds until a moment by the server's clock, 0 once it has passed; null without a moment. */
export const secondsUntil = (iso: string | null, nowMs: number): number | null =>
  iso === null ? null : Math.max(0, Math.ceil((Date.parse(iso) - nowMs) / SECOND_MS));

/** `1:59`. */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

// One clock for every countdown on the page.
const listeners = new Set<() => void>();
let nowMs = serverNowMs();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  nowMs = serverNowMs();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    nowMs = serverNowMs();
    timer = setInterval(tick, SECOND_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const never = (): (() => void) => () => undefined;

/** Counts down to a moment, second by second; null without a moment. */
export function useSecondsUntil(iso: string | null): number | null {
  return useSyncExternalStore(iso === null ? never : subscribe, () => secondsUntil(iso, nowMs));
}
