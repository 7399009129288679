import {
  AppendOutcomeUnknown,
  type AppendResult,
  type EventRow,
  type NewEvent,
  openPool,
  type RecordedEvent,
  type StreamEnd,
} from '@app/event-store';
import { type ClientBase, DatabaseError, type Pool, type PoolClient, type PoolConfig, type QueryConfig } from 'pg';

/**
 * Order between servers that write at the same time: one batch each. Only a hint; the expected revision ensures
 * correctness.
 */
export interface WritingTurn {
  /**
   * Resolves when the turn is ours, or after a fifth of a second at most: with all that the journal then held from a revision
   * on, where that was read with it.
   */
  take(from: number): Promise<readonly RecordedEvent[] | undefined>;
  /**
   * Appends to the journal and passes on the turn with the commit, or with the failure. Returns undefined if this is
   * not possible and the store must be asked: without a turn, or if the journal is elsewhere. Rejects as
   * `EventStore.append` does.
   */
  append(events: readonly NewEvent[], expected: number | 'none'): Promise<AppendResult> | undefined;
  /** Whether another server has a turn or waits for one; false where that is not known. */
  isWanted(): Promise<boolean>;
  /** Lets the longest waiting server write next; does nothing if the turn is not ours. */
  pass(): void;
}

export const noTurns: WritingTurn = {
  take: () => Promise.resolve(undefined),
  append: () => undefined,
  isWanted: () => Promise.resolve(false),
  pass: () => undefined,
};

const WAIT_MS = 200;
/** A turn is a courtesy: nobody waits for a silent database. */
const ANSWER_MS_MAX = 500;
/** After this time Postgres takes the turn from a server that has stopped or is cut off. */
const HELD_MS_MAX = 1_000;
const LOCK_KEY = 0x6e6f7661;
const WANTED = `
  select from pg_locks
  where locktype = 'advisory' and objid = ${LOCK_KEY} and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
  limit 1`;

/** A turn is an advisory lock, which Postgres grants in the order of asking and releases when its holder is gone. */
export class PostgresTurn implements WritingTurn {
  private readonly pool: Pool;
  private held: PoolClient | undefined;

  /** @param journal when absent, it is neither read nor written in turns: it is not in this database */
  constructor(
    settings: PoolConfig,
    private readonly journal?: StreamEnd,
  ) {
    const session = `
      set lock_timeout = ${WAIT_MS}; set idle_in_transaction_session_timeout = ${HELD_MS_MAX}; ${journal?.session ?? ''}`;
    // What is read is asked for together with the lock, and the commit together with the append.
    this.pool = openPool({
      ...settings,
      max: 2,
      pipeline: true,
      // The pool waits for what it promises, and makes no connection without it.
      onConnect: ((client: ClientBase) => client.query(inTime({ text: session }))) as (client: ClientBase) => void,
    });
  }

  async take(from: number): Promise<readonly RecordedEvent[] | undefined> {
    if (this.held) return undefined;
    const client = await this.pool.connect().catch(ignore);
    if (!client) return undefined;
    const locked = client.query(inTime({ text: `begin; select pg_advisory_xact_lock(${LOCK_KEY})` }));
    // A statement of its own, which sees what was committed when the lock was given.
    const read = this.journal && client.query<EventRow>(inTime(this.journal.query(from)));
    read?.catch(ignore);
    try {
      await locked;
    } catch (error) {
      // The other turn is longer than we wait: write without one. A connection that does not answer is closed.
      if (error instanceof DatabaseError) end(client, 'rollback');
      else release(client, true);
      return undefined;
    }
    this.held = client;
    // What was not read with the turn is read as ever.
    const rows = await read?.then((result) => result.rows).catch(ignore);
    return rows && this.journal?.eventsOf(rows);
  }

  append(events: readonly NewEvent[], expected: number | 'none'): Promise<AppendResult> | undefined {
    const { held, journal } = this;
    if (!held || !journal) return undefined;
    return this.appendWith(held, journal.append(held, events, expected));
  }

  async isWanted(): Promise<boolean> {
    if (this.held) return false;
    try {
      return (await this.pool.query(inTime({ text: WANTED }))).rows.length > 0;
    } catch {
      return false;
    }
  }

  pass(): void {
    if (this.held) end(this.held, 'commit');
    this.held = undefined;
  }

  async close(): Promise<void> {
    this.pass();
    await this.pool.end();
  }

  private async appendWith(client: PoolClient, appended: Promise<AppendResult>): Promise<AppendResult> {
    try {
      const result = await appended;
      release(client, false);
      return result;
    } catch (error) {
      release(client, error instanceof AppendOutcomeUnknown);
      throw error;
    } finally {
      this.held = undefined;
    }
  }
}

function end(client: PoolClient, how: 'commit' | 'rollback'): void {
  client.query(inTime({ text: how })).then(
    () => release(client, false),
    () => release(client, true),
  );
}

function release(client: PoolClient, isBroken: boolean): void {
  client.removeListener('error', ignore);
  client.release(isBroken);
}

/** A connection that ends gives its lock back; the next query on it says so. */
const ignore = (): undefined => undefined;

/** A question that is given up when no answer comes. */
const inTime = <Q extends QueryConfig>(question: Q): Q => ({ ...question, query_timeout: ANSWER_MS_MAX });
