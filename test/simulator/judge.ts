import assert from 'node:assert/strict';
import { auditEvent, auditState, decide, type LedgerCommand, type LedgerEvent, type LedgerState } from '@app/domain';
import type { CommandOutcome, LedgerWriter } from '@app/ledger';
import { canonical } from '../../libs/domain/src/ledger/testing/canonical.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { SimulatedStore } from './simulated-store.js';

/** What a command may end with besides an answer; an assertion that failed is a fault, though it kept the books sound. */
export const EXPECTED_ERRORS: ReadonlySet<string> = new Set(['LedgerBusy', 'LedgerOutcomeUnknown']);

/** What a member was told. */
export interface Answer {
  readonly id: string;
  readonly command: LedgerCommand;
  readonly outcome: CommandOutcome;
  /** What the server's clock showed when it was asked, and when it answered. */
  readonly clocks: readonly number[];
  readonly isKeyed: boolean;
  /** It rests on what a stand-by lost. */
  isVoid: boolean;
}

export interface Evidence {
  readonly store: SimulatedStore;
  readonly answers: readonly Answer[];
  readonly servers: readonly {
    readonly process: SimulatedProcess;
    readonly isReady: boolean;
    readonly writer: LedgerWriter;
  }[];
}

/**
 * Holds answers and servers against the journal, once all is calm: every answer follows from the books before it, nothing took
 * effect twice, nothing told is missing, and every server has the state that the journal gives.
 * @throws AssertionError
 */
export async function judge({ store, answers, servers }: Evidence): Promise<void> {
  const valid = answers.filter(({ isVoid }) => !isVoid);
  const events = await judgeBooks({ store, servers }, (before, revision) => {
    for (const answer of valid) judgeAnswer(answer, before, revision);
  });
  judgeEffects(valid, events);
}

/**
 * Holds the books against their rules, and each server's state against its journal.
 * @param look at the books before each event, and at their end
 * @throws AssertionError
 */
export async function judgeBooks(
  { store, servers }: Pick<Evidence, 'store' | 'servers'>,
  look: (before: LedgerState, revision: number) => void = () => undefined,
): Promise<readonly LedgerEvent[]> {
  const breaches: string[] = [];
  const { state, events } = await store.replay((before, revision, next) => {
    look(before, revision);
    const breach = next && auditEvent(before, next);
    if (next && next.at < before.time) breaches.push(`revision ${revision + 1}: its time is before the last one's`);
    if (breach !== undefined) breaches.push(`revision ${revision + 1}: ${next?.type} ${breach}`);
  });
  assert.deepEqual([...breaches, ...auditState(state)], [], 'the books are unsound');
  for (const [n, { process, isReady, writer }] of servers.entries()) {
    assert.ok(isReady && !process.isDead, `server ${n} does not live in peace`);
    assert.equal(writer.halted, undefined, `server ${n} writes nothing`);
    assert.equal(writer.revision, events.length - 1, `server ${n} has not heard of everything`);
    const own = (writer as unknown as { readonly state: LedgerState }).state;
    own.attach(undefined);
    assert.equal(canonical(own), canonical(state), `server ${n} has another state than its journal`);
  }
  return events;
}

/** Decides once more, on the state that the answer says that it rests on. */
function judgeAnswer({ id, command, outcome, clocks }: Answer, state: LedgerState, revision: number): void {
  if (outcome.status === 'refused' && outcome.revision === revision) {
    const { code } = outcome.rejection;
    if (code === 'IDEMPOTENCY_KEY_AHEAD') return;
    const codes = [...clocks, 0].map((ms) => {
      const again = decide(state, command, Math.max(ms, state.time));
      return again.accepted ? 'accepted' : again.rejection.code;
    });
    assert.ok(codes.includes(code), `${id} was refused with ${code}, decided again: ${codes.join(', ')}`);
  }
  if (outcome.status !== 'accepted') return;
  const [first] = outcome.events;
  if (first?.revision !== revision + 1) return;
  const again = decide(state, command, first.event.at);
  const entriesOf = ({ type, entries }: Pick<LedgerEvent, 'type' | 'entries'>) => [type, entries];
  assert.deepEqual(
    again.accepted ? again.events.map(entriesOf) : again.rejection,
    outcome.events.map(({ event }) => entriesOf(event)),
    `${id} does not follow from the books before it`,
  );
}

function judgeEffects(answers: readonly Answer[], events: readonly LedgerEvent[]): void {
  const effects = new Map<string, number>();
  for (const { cause, part } of events) {
    if (cause !== undefined && (part?.[0] ?? 0) === 0) effects.set(cause, (effects.get(cause) ?? 0) + 1);
  }
  for (const [cause, times] of effects) assert.equal(times, 1, `${cause} took effect ${times} times`);
  const told = new Map<string, string>();
  for (const { id, isKeyed, outcome } of answers) {
    if (outcome.status !== 'accepted' || outcome.repeated) continue;
    const event = outcome.events[0]?.id ?? '';
    // Two servers that decide one keyed command in one millisecond write the same bytes, and both may say so.
    if (!isKeyed)
      assert.equal(told.get(event), undefined, `${id} and ${told.get(event)} were answered with the same event`);
    told.set(event, id);
    const { cause } = outcome.events[0]?.event ?? {};
    if (cause !== undefined) assert.equal(effects.get(cause), 1, `${id} was accepted and is not there`);
  }
}
