/** Something whose changes can be taken back: it gets what it gave to `record`. */
export interface Undoable<A, B, C> {
  takeBack(a: A, b: B, c: C): void;
}

/** The fields of a step in the row of all steps: whose change it was, and the three values that take it back. */
const STEP_FIELDS = 4;

/**
 * What makes a state an overlay on durable ground: while a log is attached, every change records how to take itself back.
 * When the store acknowledges, the oldest steps are forgotten; when another writer was first, all are taken back.
 * Steps are plain values in one array: a closure each would be a fifth of all that a command leaves to the collector.
 */
export class UndoLog {
  private fields: unknown[] = [];

  get length(): number {
    return this.fields.length / STEP_FIELDS;
  }

  record<A, B, C>(owner: Undoable<A, B, C>, a: A, b: B, c: C): void {
    this.fields.push(owner, a, b, c);
  }

  /** Takes changes back, newest first, until `length` of them are left. */
  rollback(length = 0): void {
    while (this.length > length) {
      const [owner, a, b, c] = this.fields.splice(-STEP_FIELDS);
      (owner as Undoable<unknown, unknown, unknown>).takeBack(a, b, c);
    }
  }

  /** The oldest `count` changes have become durable. */
  forget(count: number): void {
    this.fields = this.fields.slice(count * STEP_FIELDS);
  }
}

/** Takes back what was put into a map or dropped from it; `before` is undefined where the key was new. */
export const mapUndo: Undoable<Map<unknown, unknown>, unknown, unknown> = {
  takeBack(map, key, before) {
    if (before === undefined) map.delete(key);
    else map.set(key, before);
  },
};
