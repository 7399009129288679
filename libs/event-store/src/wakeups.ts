/** Resolves after `ms`, or at once when `signal` aborts: it never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

/** Tells subscriptions that there may be more to read. A wake between looking and waiting is not lost. */
export class Wakeups {
  #generation = 0;
  readonly #waiting = new Set<() => void>();

  /** Take it before looking, and give it to `wait` when there was nothing. */
  get generation(): number {
    return this.#generation;
  }

  wake(): void {
    this.#generation += 1;
    for (const resume of this.#waiting) resume();
  }

  /** Resolves at the first wake after generation `seen`, after `ms` or when `signal` aborts, whichever is first. */
  wait(seen: number, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || seen !== this.#generation) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
      this.#waiting.add(done);
    });
  }
}
