import { setTimeout as pause } from 'node:timers/promises';
import { auditState, type LedgerEvent, type LedgerState, Money } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { holdsHead, type JournalHead, type JournalSource } from '@app/ledger';
import { readModels, READ_SCHEMA, recomputeReadModels } from '@app/projections';
import type pg from 'pg';
import { PeriodAudit } from './periods/period-audit.js';
import { SealedPeriods } from './periods/sealed-periods.js';
import { replay } from './replay.js';

export interface VerifyOptions {
  readonly store: EventStore;
  /** How the journal is read; by default from the store. */
  readonly journal?: JournalSource | undefined;
  readonly pool: pg.Pool;
  readonly connectionString: string;
  /** A head noted at an earlier time and kept outside: integrity is proved relative to it (`ledger.md`, Hash chain). */
  readonly anchor?: JournalHead | undefined;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** One thing that was checked: what was found, and the sentences for what is wrong. */
export interface Finding {
  readonly what: string;
  readonly detail: string;
  readonly breaches: readonly string[];
}

const STATEMENT_WAIT_MS = 10_000;

/** Everything that can be checked of an installation, while it runs; nothing is changed. */
export async function* verify(options: VerifyOptions): AsyncGenerator<Finding> {
  const { store, onProgress } = options;
  const { state, head, anchored, periods, periodBreaches } = await readJournal(options);
  yield {
    what: 'Hash chain',
    detail: `${head.revision + 1} events, the last is ${head.revision}:${head.hash}`,
    breaches: anchored,
  };
  yield {
    what: 'Invariants',
    detail: 'every event balances, sums are zero, nobody is below zero, pools hold what they owe, escrows ended once',
    breaches: auditState(state),
  };
  yield {
    what: 'Closed periods',
    detail: `${periods} periods: seals, chain, trees and trial balances are what the journal gives`,
    breaches: periodBreaches,
  };
  yield await checkStatements(options, state);
  const recomputed = await recomputeReadModels({
    store,
    connectionString: options.connectionString,
    models: readModels,
    onProgress: ({ phase, eventsDone, eventsTotal }) => onProgress?.(`Read models: ${phase}`, eventsDone, eventsTotal),
  });
  for (const { name } of readModels) {
    if (recomputed.some((outcome) => outcome.name === name)) continue;
    yield {
      what: `Read model ${name}`,
      detail: 'not compared',
      breaches: ['it waits for its rebuild: start the server'],
    };
  }
  for (const { name, revision, tables } of recomputed) {
    const wrong = tables.filter(({ matched }) => !matched);
    yield {
      what: `Read model ${name}`,
      detail: `recomputed up to revision ${revision}, ${tables.length} tables`,
      breaches: wrong.map(({ table }) => `${table} has other rows than the journal gives`),
    };
  }
}

async function readJournal({ store, journal, anchor, onProgress }: VerifyOptions) {
  const report = (done: number, total: number) => onProgress?.('Journal', done, total);
  const periods = await new SealedPeriods(store).all();
  const audit = new PeriodAudit(periods);
  const onEvent = (event: LedgerEvent, at: JournalHead) => audit.see(event, at);
  const { state, head } = await replay(store, { journal, onProgress: report, onEvent });
  return {
    state,
    head,
    anchored: anchor ? await checkAnchor(store, anchor) : [],
    periods: periods.length,
    periodBreaches: audit.end(),
  };
}

async function checkAnchor(store: EventStore, anchor: JournalHead): Promise<string[]> {
  if (await holdsHead(store, anchor)) return [];
  return [`the journal does not hold ${anchor.hash} at revision ${anchor.revision}: it was rewritten since`];
}

/** Invariant 9 at the revision that was replayed: the rows of every member sum to purchased + earned. */
async function checkStatements({ pool }: VerifyOptions, state: LedgerState): Promise<Finding> {
  const what = 'Statements';
  if (!(await statementReaches(pool, state.revision))) {
    return { what, detail: '', breaches: [`the statement has not reached revision ${state.revision}`] };
  }
  const { rows } = await pool.query<{ user_id: string; sum: string }>(
    `select user_id, sum(amount) as sum from ${READ_SCHEMA}.statement_row where revision <= $1 group by user_id`,
    [state.revision],
  );
  const sums = new Map(rows.map(({ user_id, sum }) => [user_id, BigInt(sum)]));
  const breaches: string[] = [];
  let members = 0;
  for (const userId of state.memberIds()) {
    members += 1;
    const rowSum = sums.get(userId) ?? 0n;
    const balance = state.balance(userId, 'purchased') + state.balance(userId, 'earned');
    sums.delete(userId);
    if (rowSum !== balance)
      breaches.push(`${userId}: rows sum to ${money(rowSum)}, the journal says ${money(balance)}`);
  }
  for (const userId of sums.keys()) breaches.push(`${userId}: has rows, but the journal does not know them`);
  return { what, detail: `rows and accrued rewards of ${members} members sum to their Nova balance`, breaches };
}

const money = (minor: bigint): string => Money.ofMinor(minor).toString();

async function statementReaches(pool: pg.Pool, revision: number): Promise<boolean> {
  const until = Date.now() + STATEMENT_WAIT_MS;
  for (;;) {
    const { rows } = await pool.query<{ revision: string }>(
      `select revision from ${READ_SCHEMA}.checkpoint where name = 'statement'`,
    );
    if (Number(rows[0]?.revision ?? -1) >= revision) return true;
    if (Date.now() > until) return false;
    await pause(100);
  }
}
