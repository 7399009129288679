/** A page was asked for after a place that no page before it ended with. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
  readonly code = 'INVALID_CURSOR';
  constructor() {
    super('This page cannot be found: its cursor is not one that was given out.');
  }
}
