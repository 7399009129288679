import { serverNowMs } from '@/shared/api/server-clock';

export interface SteppedClock {
  /** Milliseconds since 1970 as of the latest step. */
  nowMs: () => number;
  /** Starts the clock and calls the listener after each step. Returns the function that stops this. */
  subscribe: (listener: () => void) => () => void;
}

/** The server's time in steps, for everything on the page that shows it: one timer, and none while nothing shows it. */
export function steppedClock(stepMs: number): SteppedClock {
  const listeners = new Set<() => void>();
  let nowMs = serverNowMs();
  let timer: ReturnType<typeof setInterval> | undefined;
  const step = () => {
    nowMs = serverNowMs();
    for (const listener of listeners) listener();
  };
  return {
    nowMs: () => nowMs,
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        nowMs = serverNowMs();
        timer = setInterval(step, stepMs);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
