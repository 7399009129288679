import type { Pending } from './batch.js';
import { LedgerBusy } from './writer-port.js';

/** Taken commands beyond this number are dropped from memory once they outnumber the waiting ones. */
const TAKEN_MAX = 1_024;

/** Commands that wait to be decided, first come, first served. */
export class CommandQueue {
  private waiting: Pending[] = [];
  private first = 0;

  get size(): number {
    return this.waiting.length - this.first;
  }

  push(pending: Pending): void {
    this.waiting.push(pending);
  }

  shift(): Pending | undefined {
    const pending = this.waiting[this.first];
    if (!pending) {
      this.waiting = [];
      this.first = 0;
      return undefined;
    }
    this.first += 1;
    if (this.first > TAKEN_MAX && this.first > this.size) this.putBack([]);
    return pending;
  }

  /** Puts commands whose decision was undone back in front, and drops taken ones from memory. */
  putBack(pendings: readonly Pending[]): void {
    this.waiting = [...pendings, ...this.waiting.slice(this.first)];
    this.first = 0;
  }

  /** Ends those whose callers no longer wait. A command that was put back after its append lost wrote nothing either. */
  expire(now: number): void {
    for (let at = this.first; at < this.waiting.length; at++) {
      const pending = this.waiting[at];
      if (pending && pending.deadline <= now) pending.reject(busy());
    }
  }

  rejectAll(error: Error): void {
    for (let pending = this.shift(); pending; pending = this.shift()) pending.reject(error);
  }
}

const busy = () => new LedgerBusy('The ledger is busy. Nothing was done. Try again in a moment.');
