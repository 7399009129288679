/** A problem that keeps Nova from working, as a sentence for the operator, who does not need the stack. */
export class Explained extends Error {
  override readonly name = 'Explained';
}

/** What an error says; of one that holds several and says nothing itself, as a failed connection to a name is, what those say. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(reasonOf).join(', ');
  return 'message' in error ? String(error.message) : 'no reason is known';
}
