/** The cursor of a page is not one that an earlier page returned. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
  readonly code = 'INVALID_CURSOR';
  constructor() {
    super('This page cannot be found: its cursor is not one that was given out.');
  }
}
