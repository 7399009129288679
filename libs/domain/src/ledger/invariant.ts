/** A rule of the ledger that can only break through a bug or a tampered journal. Raised in production too. */
export class LedgerInvariantError extends Error {
  override readonly name = 'LedgerInvariantError';
}

/** @throws LedgerInvariantError if the condition does not hold */
export function invariant(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new LedgerInvariantError(typeof message === 'string' ? message : message());
}
