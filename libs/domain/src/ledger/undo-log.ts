/** Something whose changes can be undone: it receives what it passed to `record`. */
export interface Undoable<A, B, C> {
  takeBack(a: A, b: B, c: C): void;
}

/** The fields of a step in the row of all steps: whose change it was, and the three values that take it back. */
const STEP_FIELDS = 4;

/**
 * Makes a state an overlay on a durable one: while a log is attached, every change records how to undo itself. When the
 * store acknowledges, the oldest steps are forgotten; when another writer was first, all are undone. Steps are plain
 * values in one array: closures would be a fifth of a command's garbage.
 */
export class UndoLog {
  private fields: unknown[] = [];

  get length(): number {
    return this.fields.length / STEP_FIELDS;
  }

  record<A, B, C>(owner: Undoable<A, B, C>, a: A, b: B, c: C): void {
    this.fields.push(owner, a, b, c);
  }

  /** Undoes changes, newest first, until `length` of them are left. */
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

/** Undoes a change of a map; `before` is undefined if the key was new. */
export const mapUndo: Undoable<Map<unknown, unknown>, unknown, unknown> = {
  takeBack(map, key, before) {
    if (before === undefined) map.delete(key);
    else map.set(key, before);
  },
};
