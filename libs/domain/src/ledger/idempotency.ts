import { KEY_CLOCK_SKEW_MS } from './constants.js';
import type { CommandKey } from './events.js';
import type { LedgerState } from './state.js';

/** What the state knows about a key (rule ledger-26). */
export type KeyVerdict =
  /** Never used: the command may be decided. */
  | { readonly status: 'new' }
  /** Took effect at this revision: the answer is read from the events. */
  | { readonly status: 'repeat'; readonly revision: number }
  /** Used before with another command. */
  | { readonly status: 'reused' }
  /** May have been used before the window began: ask the index, which must have reached `mustReach`. */
  | { readonly status: 'look-up'; readonly mustReach: number };

export interface KeyUnderTest extends CommandKey {
  /** The time in a UUIDv7 key, in milliseconds since 1970; undefined for every other key. */
  readonly madeAt: number | undefined;
}

/**
 * Judges a key by the window. Inside the window a UUIDv7 needs nothing else, since it cannot have been used before it was
 * made; its clock may be ahead by `KEY_CLOCK_SKEW_MS`, which the writer enforces.
 */
export function judgeKey(state: LedgerState, key: KeyUnderTest): KeyVerdict {
  const known = state.keys.find(key.hash);
  if (known) return judgeUse(key, known);
  const { evicted } = state.keys;
  if (!evicted) return { status: 'new' };
  if (key.madeAt !== undefined && key.madeAt - KEY_CLOCK_SKEW_MS > evicted.at) return { status: 'new' };
  return { status: 'look-up', mustReach: evicted.revision };
}

/** Judges a key by a use of it, from the window or the index. */
export const judgeUse = (key: CommandKey, use: { fingerprint: string; revision: number }): KeyVerdict =>
  use.fingerprint === key.fingerprint ? { status: 'repeat', revision: use.revision } : { status: 'reused' };
