/**
 * What makes a state an overlay on durable ground: while a log is attached, every change records how to take itself back.
 * When the store acknowledges, the oldest steps are forgotten; when another writer was first, all are taken back.
 */
export class UndoLog {
  private steps: (() => void)[] = [];

  get length(): number {
    return this.steps.length;
  }

  record(step: () => void): void {
    this.steps.push(step);
  }

  /** Takes changes back, newest first, until `length` of them are left. */
  rollback(length = 0): void {
    for (let step = this.steps.length; step > length; step--) this.steps.pop()?.();
  }

  /** The oldest `count` changes have become durable. */
  forget(count: number): void {
    this.steps = count === this.steps.length ? [] : this.steps.slice(count);
  }
}
