import { UnreadableFact } from './fact-codec.js';
import { UnreadableEvent } from './ledger/codec.js';

/** The same error with where the event stands; every other error as it is. */
export function unreadableAt(where: string, error: unknown): unknown {
  if (error instanceof UnreadableEvent) return new UnreadableEvent(`${where}: ${error.message}`, { cause: error });
  if (error instanceof UnreadableFact) return new UnreadableFact(`${where}: ${error.message}`, { cause: error });
  return error;
}
