import { isDeepStrictEqual } from 'node:util';
import {
  auditState,
  type LedgerEvent,
  type LedgerSnapshot,
  type LedgerState,
  Money,
  PERIODS_STREAM,
  RECONCILIATION_STREAM_PREFIX,
} from '@app/domain';
import { type EventStore, lastPosition, StoreUnavailable } from '@app/event-store';
import {
  holdsHead,
  journalAhead,
  JournalAudit,
  type JournalHead,
  type JournalSource,
  keyIdOf,
  type LinkedEvent,
  type LoadedSnapshot,
  PostgresSnapshots,
  SignedStore,
  type SnapshotSigning,
} from '@app/ledger';
import { lastPositions, readModels, recomputeReadModels, StatementQueries } from '@app/projections';
import type pg from 'pg';
import { reasonOf } from '../platform/errors/explained.js';
import { checkSeals, type Seal } from './checkpoints/seals.js';
import { databaseTime } from './moments.js';
import { waitForReadModels } from './catch-up.js';
import { openPeriodAudit } from './periods/threaded-period-audit.js';
import { SealedPeriods } from './periods/sealed-periods.js';
import { replay } from './replay.js';

export interface VerifyOptions {
  readonly store: EventStore;
  /** As far as it is signed; by default all of it. */
  readonly signedStore?: EventStore | undefined;
  /** How the journal is read; by default from the store. */
  readonly journal?: JournalSource | undefined;
  /** The compiled thread that checks many closed periods' events; when absent, they are checked here. */
  readonly periodWorker?: URL | undefined;
  readonly pool: pg.Pool;
  readonly connectionString: string;
  /** A head noted at an earlier time and kept outside: integrity is proved relative to it (rule finance-3). */
  readonly anchor?: JournalHead | undefined;
  /** Checkpoints that were kept outside (rule finance-3). */
  readonly seals?: readonly Seal[] | undefined;
  /** Of a signed journal: whose signatures hold. Without it nobody's do. */
  readonly snapshotSigning?: SnapshotSigning | undefined;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** One thing that was checked: what was found, and the sentences for what is not as it should be. */
export interface Finding {
  readonly what: string;
  readonly detail: string;
  readonly breaches: readonly string[];
  /** All that they say is that read models have not come to the journal's end: what was compared contradicts nothing. */
  readonly isBehind?: boolean;
}

export type FindingVerdict = 'ok' | 'BEHIND' | 'WRONG';

export function verdictOn({ breaches, isBehind }: Finding): FindingVerdict {
  if (breaches.length === 0) return 'ok';
  return isBehind ? 'BEHIND' : 'WRONG';
}

/** All checks of an installation. They can run beside servers and change nothing. */
export async function* verify(options: VerifyOptions): AsyncGenerator<Finding> {
  const { signedStore, whyNot } = await signedOr(options);
  const written = await lastPositions(signedStore, readModels);
  const { state, head, anchored, forged, eventBreaches, periods, periodBreaches, snapshot } = await readJournal({
    ...options,
    signedStore,
  });
  yield {
    what: 'Hash chain',
    detail: `${head.revision + 1} events, the last is ${head.revision}:${head.hash}`,
    breaches: anchored,
  };
  const isUnknown = state.signing !== undefined && options.snapshotSigning === undefined;
  yield {
    what: 'Signatures',
    detail: signaturesText(state),
    breaches: [
      ...forged,
      ...whyNot,
      ...(isUnknown ? ['nothing here says who should have signed them: set JOURNAL_TRUST'] : []),
    ],
  };
  yield {
    what: 'Invariants',
    detail:
      'every event is what its command makes, keys and facts took effect once, sums are zero, nobody is below zero, pools hold what they owe, escrows ended once',
    breaches: [...eventBreaches, ...auditState(state)],
  };
  const ahead = journalAhead(state.time, await databaseTime(options.pool));
  yield {
    what: 'Journal time',
    detail: `that of the last event, ${new Date(state.time).toISOString()}`,
    breaches: ahead === undefined ? [] : [ahead],
  };
  yield {
    what: 'Closed periods',
    detail: `${periods} periods: seals, chain, trees and trial balances are what the journal gives`,
    breaches: periodBreaches,
  };
  if (options.seals) yield { what: 'Checkpoints', ...(await heldAgainst(options, options.seals)) };
  yield snapshot;
  const reached = await waitForReadModels(options.pool, { revision: state.revision, written });
  yield await checkStatements(options, state, reached.get('statements')?.revision);
  yield* readModelFindings({ ...options, signedStore }, { state, written });
  if (signedStore instanceof SignedStore) yield await unsignedIn(signedStore);
}

interface Reached {
  readonly state: LedgerState;
  /** Where the last event of each read model's streams stands. */
  readonly written: ReadonlyMap<string, bigint>;
}

/** Every row of every read model, computed anew. */
async function* readModelFindings(
  { signedStore, connectionString, onProgress }: VerifyOptions & { readonly signedStore: EventStore },
  { state, written }: Reached,
): AsyncGenerator<Finding> {
  const recomputed = await recomputeReadModels({
    store: signedStore instanceof SignedStore ? signedStore.withAllOfLedger : signedStore,
    connectionString,
    models: readModels,
    onProgress: ({ phase, eventsDone, eventsTotal }) => onProgress?.(`Read models: ${phase}`, eventsDone, eventsTotal),
  });
  for (const { name } of readModels) {
    if (recomputed.some((outcome) => outcome.name === name)) continue;
    yield {
      what: `Read model ${name}`,
      detail: 'not compared',
      breaches: [`it awaits its rebuild: ${REMEDY}`],
      isBehind: true,
    };
  }
  for (const { name, revision, position, tables, breach } of recomputed) {
    const wrong = tables.filter(({ matched }) => !matched);
    const breaches = wrong.map(({ table }) => `${table} has other rows than the journal gives`);
    if (breach !== undefined) breaches.push(breach);
    const isBehind = breaches.length === 0;
    if (revision < state.revision) breaches.push(standsBehind(revision, state));
    else if (position < (written.get(name) ?? -1n)) breaches.push(LACKS_OTHERS);
    yield {
      what: `Read model ${name}`,
      detail: `recomputed up to revision ${revision}, ${tables.length} tables`,
      breaches,
      isBehind,
    };
  }
}

/** What is stored, where it does not hold the beginning that we know: then all else is looked at as it is. */
async function signedOr({ store, signedStore = store }: VerifyOptions) {
  try {
    await lastPosition(signedStore);
    return { signedStore, whyNot: [] };
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || signedStore === store) throw error;
    return { signedStore: store, whyNot: [`other streams were not checked: ${error.message}`] };
  }
}

/** Events were met while streams were read for the read models; these streams no read model follows. */
async function unsignedIn(store: SignedStore): Promise<Finding> {
  const streamPrefixes = [PERIODS_STREAM, RECONCILIATION_STREAM_PREFIX];
  for await (const batch of store.withAllOfLedger.readAll({ streamPrefixes })) void batch;
  return {
    what: 'Other streams',
    detail: 'everything that was appended since they are signed has a signature of ours',
    breaches: store.unsigned.map((place) => `${place} is not signed, and was skipped`),
  };
}

function heldAgainst({ store, snapshotSigning, onProgress }: VerifyOptions, seals: readonly Seal[]) {
  const report = (done: number, total: number) => onProgress?.('Checkpoints', done, total);
  return checkSeals(store, seals, snapshotSigning?.trust ?? [], report);
}

function signaturesText({ signing }: LedgerState): string {
  if (!signing) return 'none: the journal is not signed';
  return `the key ${keyIdOf(signing.publicKey)} signs from revision ${signing.since} on, as the journal ${signing.journal}`;
}

const REMEDY = 'start the server, or verify with --catch-up; if one is running, read its log';
const LACKS_OTHERS = `it lacks the latest events of other streams than the journal: ${REMEDY}`;
const standsBehind = (revision: number, state: LedgerState): string =>
  `it stands at revision ${revision} and the journal at ${state.revision}: ${REMEDY}`;

async function readJournal(options: VerifyOptions) {
  const { store, signedStore = store, journal, periodWorker, pool, anchor, snapshotSigning, onProgress } = options;
  const report = (done: number, total: number) => onProgress?.('Journal', done, total);
  const periods = await new SealedPeriods(signedStore).all();
  const audit = new JournalAudit();
  const damage: string[] = [];
  const onUnreadable = (error: unknown) => damage.push(unreadable(error));
  let stored = await new PostgresSnapshots(pool, onUnreadable, snapshotSigning).newest(store);
  const absent = damage.length > 0 ? 'none can be read' : 'there is none yet';
  let snapshot: Finding = { what: 'Snapshot', detail: `${absent}, and none is required`, breaches: [] };
  const periodAudit = openPeriodAudit(periods, periodWorker);
  const onEvent = (event: LedgerEvent, at: JournalHead, state: LedgerState) => {
    periodAudit.see?.(event, at);
    if (at.revision !== stored?.head.revision) return;
    snapshot = compareSnapshot(stored, state);
    stored = undefined;
  };
  const beforeEvent = (event: LedgerEvent, { revision }: JournalHead, before: LedgerState) =>
    audit.see(before, event, revision);
  const forged: string[] = [];
  const onForged = ({ message }: Error) => forged.push(`${message}: no server goes on from there`);
  const onBatch = (batch: readonly LinkedEvent[]) => periodAudit.seeAll?.(batch);
  try {
    const { state, head } = await replay(store, {
      journal,
      onProgress: report,
      beforeEvent,
      onForged,
      onEvent,
      onBatch,
    });
    return {
      forged,
      state,
      head,
      anchored: anchor ? await checkAnchor(store, anchor) : [],
      eventBreaches: audit.end(),
      periods: periods.length,
      periodBreaches: await periodAudit.end(),
      snapshot: { ...snapshot, breaches: [...damage, ...snapshot.breaches] },
    };
  } finally {
    await periodAudit.close?.();
  }
}

const unreadable = (error: unknown): string => `a snapshot cannot be read and is not used: ${reasonOf(error)}`;

/** Of plain values alone, wherever they were made. */
const copyOf = (state: LedgerState): LedgerSnapshot => structuredClone(state.snapshot());

/** Invariant 6: the state that a server begins with is what the journal gives. */
function compareSnapshot(stored: LoadedSnapshot, replayed: LedgerState): Finding {
  const isSame = isDeepStrictEqual(copyOf(stored.state), copyOf(replayed));
  return {
    what: 'Snapshot',
    detail: `the newest readable one, of revision ${stored.head.revision}, was compared with the journal`,
    breaches: isSame ? [] : ['it is another state: stop the servers and delete the rows of ledger.snapshots'],
  };
}

async function checkAnchor(store: EventStore, anchor: JournalHead): Promise<string[]> {
  if (await holdsHead(store, anchor)) return [];
  return [`the journal does not have ${anchor.hash} at revision ${anchor.revision}: it was rewritten`];
}

/** Invariant 9 at the revision that was replayed: every member's rows and accrued rewards are what the journal says. */
async function checkStatements(
  { pool }: VerifyOptions,
  state: LedgerState,
  reached: number | undefined,
): Promise<Finding> {
  const what = 'Statements';
  if (reached === undefined || reached < state.revision) {
    return { what, detail: 'not compared', breaches: [standsBehind(reached ?? -1, state)], isBehind: true };
  }
  const statements = new StatementQueries(pool);
  const sums = await statements.sumsAt(state.revision);
  const accrued = await statements.owedAt(state.revision);
  const breaches: string[] = [];
  let members = 0;
  for (const userId of state.memberIds()) {
    members += 1;
    const rowSum = sums.get(userId) ?? 0n;
    const balance = state.balance(userId, 'purchased') + state.balance(userId, 'earned');
    if (rowSum !== balance)
      breaches.push(`${userId}: rows sum to ${money(rowSum)}, the journal says ${money(balance)}`);
    const [line, owed] = [accrued.get(userId) ?? 0n, state.owed(userId)];
    if (line !== owed) breaches.push(`${userId}: ${money(line)} are accrued, the journal says ${money(owed)}`);
    sums.delete(userId);
    accrued.delete(userId);
  }
  for (const userId of new Set([...sums.keys(), ...accrued.keys()])) {
    breaches.push(`${userId}: has rows, but the journal does not know them`);
  }
  return { what, detail: `rows and accrued rewards of ${members} members sum to their Nova balance`, breaches };
}

const money = (minor: bigint): string => Money.ofMinor(minor).toString();
