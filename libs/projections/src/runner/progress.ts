import type { WaitResult } from '../read-model.js';

/**
 * The progress that a caller waits for: a revision of the stream `ledger`, or a position in the order of all events.
 */
export type Goal = { readonly revision: number } | { readonly position: bigint };

/** The progress of a read model, as far as it was reported. */
export interface Reached {
  readonly revision?: number | undefined;
  readonly position?: bigint | undefined;
}

interface Waiter {
  readonly names: readonly string[];
  readonly goal: Goal;
  readonly resolve: (result: WaitResult) => void;
  readonly timer: NodeJS.Timeout;
}

/** The known progress of each read model, and the callers who wait for more. */
export class Progress {
  private readonly revisions = new Map<string, number>();
  private readonly positions = new Map<string, bigint>();
  private readonly waiters = new Set<Waiter>();

  /** @param onMoved called with all new progress */
  constructor(private readonly onMoved?: (names: readonly string[], reached: Reached) => void) {}

  revision(name: string): number {
    return this.revisions.get(name) ?? -1;
  }

  position(name: string): bigint {
    return this.positions.get(name) ?? -1n;
  }

  /** Records the progress of read models, and wakes callers who waited for it. */
  reached(names: readonly string[], { revision = -1, position = -1n }: Reached): void {
    let moved = false;
    for (const name of names) {
      if (this.revision(name) >= revision && this.position(name) >= position) continue;
      this.revisions.set(name, Math.max(this.revision(name), revision));
      if (this.position(name) < position) this.positions.set(name, position);
      moved = true;
    }
    if (!moved) return;
    this.onMoved?.(names, { revision, position });
    for (const waiter of this.waiters) if (this.has(waiter)) this.settle(waiter, { projected: true });
  }

  wait(names: readonly string[], goal: Goal, timeoutMs: number): Promise<WaitResult> {
    if (this.has({ names, goal })) return Promise.resolve({ projected: true });
    if (timeoutMs <= 0) return Promise.resolve({ projected: false });
    return new Promise((resolve) => {
      const waiter: Waiter = {
        names,
        goal,
        resolve,
        timer: setTimeout(() => this.settle(waiter, { projected: false }), timeoutMs),
      };
      this.waiters.add(waiter);
    });
  }

  /** The names of read models that callers wait for. */
  awaited(): Set<string> {
    const names = new Set<string>();
    for (const waiter of this.waiters) for (const name of waiter.names) names.add(name);
    return names;
  }

  /** Resolves all waits, because the runner ends. */
  end(): void {
    for (const waiter of this.waiters) this.settle(waiter, { projected: false });
  }

  private has({ names, goal }: Pick<Waiter, 'names' | 'goal'>): boolean {
    if ('revision' in goal) return names.every((name) => this.revision(name) >= goal.revision);
    return names.every((name) => this.position(name) >= goal.position);
  }

  private settle(waiter: Waiter, result: WaitResult): void {
    this.waiters.delete(waiter);
    clearTimeout(waiter.timer);
    waiter.resolve(result);
  }
}
