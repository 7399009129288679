import {
  decide,
  encodeLedgerEvent,
  evolve,
  judgeKey,
  judgeUse,
  KEY_CLOCK_SKEW_MS,
  type KeyVerdict,
  type LedgerEvent,
  type LedgerFact,
  type LedgerState,
  memberOf,
  rulesOf,
  type Stamp,
  type UndoLog,
} from '@app/domain';
import type { NewEvent } from '@app/event-store';
import type { Batch, Decided, Pending } from './batch.js';
import { printEnvelope } from './envelope.js';
import { chainHash, eventIdOf } from './hash-chain.js';
import { newNonce } from './nonce.js';
import { LedgerBusy, type JournalEvent } from './writer-port.js';

/**
 * The most bytes of one command's events, which are one append or refused. The longest bulk of grants fits, and after
 * an almost full batch the append still fits every store.
 */
const COMMAND_BYTES_MAX = 320 * 1024;

/**
 * Decides one command on the overlay and adds it to the batch. An assertion that fails here undoes and fails this
 * command alone.
 */
export function decideInto(batch: Batch, state: LedgerState, undo: UndoLog, pending: Pending, now: number): void {
  const mark = undo.length;
  try {
    const decided = decideOne(batch, state, { pending, undo, at: Math.max(now, state.time) });
    batch.decided.push([pending, decided]);
  } catch (error) {
    undo.rollback(mark);
    if (error instanceof CommandTooLarge) batch.decided.push([pending, tooLarge(state.revision)]);
    else pending.reject(error);
  }
  batch.undoSteps += undo.length - mark;
  batch.evictions = state.keys.evictions;
}

function decideOne(
  batch: Batch,
  state: LedgerState,
  { pending, undo, at }: { readonly pending: Pending; readonly undo: UndoLog; readonly at: number },
): Decided {
  const verdict = pending.key && verdictOn(state, pending, at);
  if (verdict?.status === 'repeat') return { kind: 'repeat', revision: verdict.revision };
  if (verdict?.status === 'reused') return { kind: 'reused' };
  if (verdict?.status === 'ahead') {
    return {
      kind: 'refused',
      revision: state.revision,
      rejection: {
        code: 'IDEMPOTENCY_KEY_AHEAD',
        message: 'The idempotency key was made more than a minute ahead of our time.',
      },
    };
  }
  const decision = decide(state, pending.request.command, at);
  if (!decision.accepted) return { kind: 'refused', rejection: decision.rejection, revision: state.revision };
  const { eventsLimit } = batch;
  if (eventsLimit && state.revision + 1 + decision.events.length > eventsLimit.max) {
    return { kind: 'refused', rejection: eventsLimit.rejection, revision: state.revision };
  }
  return pending.request.dryRun
    ? dryRun(state, decision.events, { pending, undo, at })
    : write(batch, state, decision.events, pending, at);
}

/** The window's verdict, or the index's beyond the window. */
function verdictOn(state: LedgerState, pending: Pending, at: number): KeyVerdict | { status: 'ahead' } {
  const { key, index } = pending;
  if (!key) return { status: 'new' };
  if (key.madeAt !== undefined && key.madeAt > at + KEY_CLOCK_SKEW_MS) return { status: 'ahead' };
  const verdict = judgeKey(state, key);
  if (verdict.status !== 'look-up') return verdict;
  if (index?.found) return judgeUse(key, index.found);
  if (index && index.through >= verdict.mustReach) return { status: 'new' };
  throw new LedgerBusy('The index of idempotency keys is catching up. Nothing was done. Try again in a moment.');
}

/** How a command's events are stamped. */
interface Stamping {
  readonly pending: Pending;
  readonly at: number;
  /** Also where it has a key, so that no other server's signed batch has the same ids. */
  readonly needsNonce?: boolean;
}

/** Reuses the fact as the event: it was made for this command, and nobody else holds it. */
function stamp(fact: LedgerFact, index: number, count: number, { pending, at, needsNonce }: Stamping): LedgerEvent {
  const { request, key } = pending;
  const event = fact as { -readonly [K in keyof Stamp]?: Stamp[K] };
  event.at = at;
  event.actor = request.actor;
  if (request.cause !== undefined) event.cause = request.cause;
  if (index === 0) {
    if (key) event.key = { hash: key.hash, fingerprint: key.fingerprint };
    if (!key || needsNonce === true) event.nonce = newNonce();
  }
  if (count > 1) event.part = [index, count];
  return fact as LedgerEvent;
}

/** Applied to the overlay and undone at once, so the balances are those after the command. */
function dryRun(
  state: LedgerState,
  facts: readonly LedgerFact[],
  { pending, undo, at }: { readonly pending: Pending; readonly undo: UndoLog; readonly at: number },
): Decided {
  const events = facts.map((fact, index) => ({
    id: '',
    revision: state.revision + 1 + index,
    event: stamp(fact, index, facts.length, { pending, at }),
  }));
  const mark = undo.length;
  const balancesBefore = balancesOf(state, facts);
  for (const { event, revision } of events) evolve(state, event, revision);
  const after = standingAfter(state, facts, at);
  undo.rollback(mark);
  return { kind: 'accepted', events, revision: state.revision + facts.length, balancesBefore, ...after };
}

function write(batch: Batch, state: LedgerState, facts: readonly LedgerFact[], pending: Pending, at: number): Decided {
  const events: JournalEvent[] = [];
  const stored: NewEvent[] = [];
  const origin = batch.envelope === 2 ? pending.origin : undefined;
  let { revision, hash } = batch.head;
  let bytes = 0;
  const needsNonce = state.signing !== undefined && batch.events.length === 0;
  for (const fact of facts) {
    const event = stamp(fact, events.length, facts.length, { pending, at, needsNonce });
    const data = encodeLedgerEvent(event);
    revision += 1;
    hash = chainHash(hash, revision, event.type, data);
    const id = eventIdOf(hash, revision);
    evolve(state, event, revision);
    events.push({ id, revision, event });
    const metadata = printEnvelope({ hash, ...origin });
    stored.push({ id, type: event.type, data, metadata });
    bytes += data.length + metadata.length + event.type.length;
  }
  if (bytes > COMMAND_BYTES_MAX) throw new CommandTooLarge(`a command's events take ${bytes} bytes`);
  batch.head = { revision, hash };
  for (const event of stored) batch.events.push(event);
  batch.bytes += bytes;
  return { kind: 'accepted', events, revision, ...standingAfter(state, facts, at) };
}

/** The command's events do not fit one append: they are undone and the command is refused. */
class CommandTooLarge extends Error {
  override readonly name = 'CommandTooLarge';
}

export const tooLarge = (revision: number): Decided => ({
  kind: 'refused',
  revision,
  rejection: { code: 'COMMAND_TOO_LARGE', message: 'This touches too many accounts at once. Do it in parts.' },
});

/** The part of an answer that describes the resulting state. */
function standingAfter(
  state: LedgerState,
  facts: readonly LedgerFact[],
  at: number,
): { readonly balances: ReadonlyMap<string, bigint>; readonly spentToday?: bigint } {
  const balances = balancesOf(state, facts);
  const last = facts.at(-1);
  const spent = last && rulesOf(last).throughApp?.(last);
  if (spent?.countsAgainstDailyLimit) {
    return { balances, spentToday: state.spentToday(spent.userId, spent.clientId, at) };
  }
  return { balances };
}

/** The Nova balance of every member that the entries name. */
function balancesOf(state: LedgerState, facts: readonly LedgerFact[]): ReadonlyMap<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { entries } of facts) {
    for (const [account] of entries) {
      const userId = memberOf(account);
      if (userId !== undefined && !balances.has(userId)) balances.set(userId, state.novaBalance(userId));
    }
  }
  return balances;
}
