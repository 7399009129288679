import { DatabaseError } from 'pg';

/** SQLSTATE classes that say "not now": the transaction was undone and the same statement may succeed later. */
const TRANSIENT_CLASSES = new Set(['08', '40', '53', '55', '57', '58']);
/** The role lacks a right, or the server may only be read: so until somebody gives the right back, or the address moves on. */
const UNTIL_MENDED = new Set(['42501', '25006']);

/** The server answered that it undid the statement. A FATAL answer may come after a commit, so it does not count. */
export function isUndone(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC';
}

/** Might the same statement succeed later? Everything but an answer that says that the statement itself is wrong. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  const code = error.code ?? '';
  return TRANSIENT_CLASSES.has(code.slice(0, 2)) || UNTIL_MENDED.has(code);
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
