import { LEDGER_STREAM, PERIODS_STREAM, QUEST_COUNTING_STREAM } from '@app/domain';
import { type EventStore, lastPosition, StoreUnavailable } from '@app/event-store';
import { eventAt } from '@app/ledger';
import { READ_SCHEMA, readModels, StatementQueries } from '@app/projections';
import type pg from 'pg';
import { Explained } from '../errors/explained.js';

type Journal = Pick<EventStore, 'head' | 'readStream' | 'readAll'>;

/** Streams whose names another program might have as well. Those of the others end with an id. */
const NAMES = [LEDGER_STREAM, PERIODS_STREAM, QUEST_COUNTING_STREAM];

/**
 * What the read models have followed must be in the journal. Where it is not, the journal is another one or an older copy:
 * members would be shown balances that the ledger does not know, money would move in two journals at once, and what is
 * written where read models have been already would never reach them.
 * @throws Explained the journal ends before that, or has another history; or another program has a stream of our name
 */
export async function requireOwnJournal(
  pool: pg.Pool,
  store: Journal,
  eventStoreUrl: string | undefined,
): Promise<void> {
  for (const stream of NAMES) await requireOurs(store, stream);
  // Asked first: others may append meanwhile.
  const followed = await lastFollowed(pool);
  const breach = await breachOf(store, followed);
  if (breach === undefined) return;
  const where = eventStoreUrl ? 'where EVENTSTORE_URL points' : 'in Postgres, where it is without EVENTSTORE_URL,';
  throw new Explained(
    `The journal ${where} ${breach}. Set EVENTSTORE_URL as before, or restore Postgres and the journal together.`,
  );
}

async function requireOurs(store: Journal, stream: string): Promise<void> {
  for await (const [first] of store.readStream(stream, { limit: 1 })) {
    if (!first?.isForeign) return;
    throw new Explained(
      `The event store that EVENTSTORE_URL names cannot be shared: its stream ${stream} is another program's ` +
        `(type ${first.type}). Give Nova an event store of its own.`,
    );
  }
}

interface Followed {
  readonly revision: number;
  readonly position: bigint;
  /** Of the ledger's events, the last that the statement shows: its id follows from everything before it. */
  readonly event: { readonly revision: number; readonly id: string } | undefined;
}

async function lastFollowed(pool: pg.Pool): Promise<Followed> {
  const { rows } = await pool.query<{ name: string; version: number; revision: number; position: string }>(
    `select name, version, revision::float8, position from ${READ_SCHEMA}.checkpoint`,
  );
  const statement = readModels.find(({ name }) => name === 'statements');
  const isOurs = rows.some(({ name, version }) => name === statement?.name && version === statement.version);
  return {
    revision: Math.max(-1, ...rows.map(({ revision }) => revision)),
    position: rows.reduce((last, { position }) => (BigInt(position) > last ? BigInt(position) : last), -1n),
    event: isOurs ? await new StatementQueries(pool).newestEvent() : undefined,
  };
}

/** What a sentence about the journal ends with, or undefined where it holds all of that. */
async function breachOf(store: Journal, { revision, position, event }: Followed): Promise<string | undefined> {
  const last = (await store.head(LEDGER_STREAM))?.revision ?? -1;
  if (last < revision) {
    const end = last < 0 ? 'has no event' : `ends with revision ${last}`;
    return `${end}, but this installation's reaches revision ${revision} at least`;
  }
  if (event && (await eventAt(store, event.revision))?.id !== event.id) {
    return `is another one: its event of revision ${event.revision} is not ${event.id}, as this installation's is`;
  }
  if (!(await reaches(store, position))) {
    return `ends before the last event that this installation's read models have followed`;
  }
  return undefined;
}

/** A node that follows another gets the time to come there. */
async function reaches(store: Journal, position: bigint): Promise<boolean> {
  let last = (await lastPosition(store)) ?? -1n;
  if (last >= position) return true;
  try {
    for await (const batch of store.readAll({ after: last, upTo: position })) last = batch.at(-1)?.position ?? last;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
  return last >= position;
}
