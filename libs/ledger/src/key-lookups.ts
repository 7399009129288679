import type { Footing, IndexAnswer, Pending } from './batch.js';
import { LedgerBusy, type KeyIndex } from './writer-port.js';

const LOOKUP_MAX = 2_000;

/**
 * Asks the index about keys that the window does not cover: one query at a time, for all that wait. `dataloader` could not tell
 * how many wait, and would let none of them go before its answer.
 */
export class KeyLookups {
  private waiting: Pending[] = [];
  private asking: Pending[] = [];

  /**
   * @param footing of the state that will decide
   * @param onAnswered told of those that may be decided now; of none where the index failed
   */
  constructor(
    private readonly index: KeyIndex,
    private readonly footing: () => Footing,
    private readonly onAnswered: (pendings: readonly Pending[]) => void,
  ) {}

  get size(): number {
    return this.waiting.length + this.asking.length;
  }

  add(pending: Pending): void {
    this.waiting.push(pending);
    if (this.asking.length === 0) void this.ask();
  }

  expire(now: number): void {
    for (const pending of [...this.waiting, ...this.asking]) {
      if (pending.deadline <= now) pending.reject(unanswered());
    }
  }

  private async ask(): Promise<void> {
    // Whoever arrives in the same turn of the event loop shares the query.
    this.asking = this.waiting.splice(0, 1);
    await new Promise((resolve) => setImmediate(resolve));
    this.asking.push(...this.waiting.splice(0, LOOKUP_MAX));
    const { asking } = this;
    let answered: readonly Pending[] = [];
    try {
      const footing = this.footing();
      const { through, found } = await this.index.find(asking.map(({ key }) => key?.hash ?? ''));
      for (const pending of asking) pending.index = upTo(footing, through, found.get(pending.key?.hash ?? ''));
      answered = asking;
    } catch {
      for (const pending of asking) pending.reject(unanswered());
    }
    this.asking = [];
    this.onAnswered(answered);
    if (this.waiting.length) void this.ask();
  }
}

const upTo = ({ loads, revision }: Footing, through: number, found: IndexAnswer['found']): IndexAnswer => ({
  loads,
  through: Math.min(through, revision),
  found: found && found.revision <= revision ? found : undefined,
});

const unanswered = () =>
  new LedgerBusy('The index of idempotency keys does not answer. Nothing was done: try again in a moment.');
