import type { WaitResult } from '../read-model.js';

interface Waiter {
  readonly names: readonly string[];
  readonly revision: number;
  readonly resolve: (result: WaitResult) => void;
  readonly timer: NodeJS.Timeout;
}

/** How far each read model is known to be, by ledger revision, and who waits for it to be further. */
export class Progress {
  private readonly revisions = new Map<string, number>();
  private readonly waiters = new Set<Waiter>();

  revision(name: string): number {
    return this.revisions.get(name) ?? -1;
  }

  /** Notes that read models have come to a revision, and wakes who waited for it. */
  reached(names: readonly string[], revision: number): void {
    let moved = false;
    for (const name of names) {
      if (this.revision(name) >= revision) continue;
      this.revisions.set(name, revision);
      moved = true;
    }
    if (!moved) return;
    for (const waiter of this.waiters) if (this.has(waiter)) this.settle(waiter, { projected: true });
  }

  wait(names: readonly string[], revision: number, timeoutMs: number): Promise<WaitResult> {
    if (this.has({ names, revision })) return Promise.resolve({ projected: true });
    if (timeoutMs <= 0) return Promise.resolve({ projected: false });
    return new Promise((resolve) => {
      const waiter: Waiter = {
        names,
        revision,
        resolve,
        timer: setTimeout(() => this.settle(waiter, { projected: false }), timeoutMs),
      };
      this.waiters.add(waiter);
    });
  }

  /** Names that somebody waits for. */
  awaited(): Set<string> {
    const names = new Set<string>();
    for (const waiter of this.waiters) for (const name of waiter.names) names.add(name);
    return names;
  }

  /** Answers everybody who waits: the runner ends. */
  end(): void {
    for (const waiter of this.waiters) this.settle(waiter, { projected: false });
  }

  private has({ names, revision }: Pick<Waiter, 'names' | 'revision'>): boolean {
    return names.every((name) => this.revision(name) >= revision);
  }

  private settle(waiter: Waiter, result: WaitResult): void {
    this.waiters.delete(waiter);
    clearTimeout(waiter.timer);
    waiter.resolve(result);
  }
}
