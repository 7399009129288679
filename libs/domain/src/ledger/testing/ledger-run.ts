import { auditState } from '../audit.js';
import { decodeLedgerEvent, encodeLedgerEvent } from '../codec.js';
import type { LedgerCommand } from '../commands.js';
import { decide } from '../decide.js';
import type { CommandKey, LedgerEvent } from '../events.js';
import { evolve } from '../evolve.js';
import { judgeKey } from '../idempotency.js';
import type { Rejection } from '../rejections.js';
import { LedgerState } from '../state.js';

/** Noon UTC of an ordinary day: tests that care about days move on from here. */
export const START_MS = Date.UTC(2026, 0, 15, 12);

/** The outcome of a command, including its key. */
export type Outcome =
  | { readonly status: 'accepted'; readonly events: readonly LedgerEvent[]; readonly revision: number }
  | { readonly status: 'refused'; readonly rejection: Rejection }
  | { readonly status: 'repeat'; readonly revision: number }
  | { readonly status: 'reused' }
  | { readonly status: 'look-up' };

export interface StoredEvent {
  readonly type: string;
  readonly data: string;
}

/** A writer without a store: it judges the key, decides, stamps, writes each event's bytes, reads them back, and evolves. */
export class LedgerRun {
  readonly journal: StoredEvent[] = [];
  now = START_MS;

  constructor(readonly state = new LedgerState()) {}

  execute(command: LedgerCommand, key?: CommandKey & { readonly madeAt?: number }): Outcome {
    const verdict = key && judgeKey(this.state, { madeAt: undefined, ...key });
    if (verdict && verdict.status !== 'new') return verdict;
    const at = Math.max(this.now, this.state.time);
    const decision = decide(this.state, command, at);
    if (!decision.accepted) return { status: 'refused', rejection: decision.rejection };
    const count = decision.events.length;
    const revision = this.state.revision + 1;
    const events = decision.events.map((fact, index): LedgerEvent => {
      const stamped: LedgerEvent = {
        ...fact,
        at,
        actor: 'process',
        ...(key && index === 0 && { key: { hash: key.hash, fingerprint: key.fingerprint } }),
        ...(count > 1 && { part: [index, count] as const }),
      };
      return this.append(stamped);
    });
    return { status: 'accepted', events, revision };
  }

  /** Takes the journal's last events away: their changes were rolled back. */
  truncate(length: number): void {
    this.journal.length = length;
  }

  private append(event: LedgerEvent): LedgerEvent {
    const stored = { type: event.type, data: encodeLedgerEvent(event) };
    const read = decodeLedgerEvent(stored.type, stored.data);
    evolve(this.state, read, this.state.revision + 1);
    this.journal.push(stored);
    return read;
  }
}

/** Applies stored events to a state, from the one after its revision to the end. */
export function replay(journal: readonly StoredEvent[], state = new LedgerState()): LedgerState {
  for (let revision = state.revision + 1; revision < journal.length; revision++) {
    const stored = journal[revision];
    if (stored) evolve(state, decodeLedgerEvent(stored.type, stored.data), revision);
  }
  return state;
}

/** @throws Error naming every breach of the invariants that can be seen in one state */
export function assertSound(state: LedgerState): void {
  const breaches = auditState(state);
  if (breaches.length) throw new Error(`the state is unsound:\n${breaches.join('\n')}`);
}
