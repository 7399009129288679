import type { EventRow, RecordedEvent, StreamEnd } from '@app/event-store';
import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from 'pg';

/** Order between servers that write at the same time: one batch each. Only a hint; correctness is the expected revision's. */
export interface WritingTurn {
  /**
   * Resolves when the turn is ours, or after a fifth of a second at most: with all that the journal then held from a revision
   * on, where that was read with it.
   */
  take(from: number): Promise<readonly RecordedEvent[] | undefined>;
  /** Whether another server has a turn or waits for one; false where that is not known. */
  isWanted(): Promise<boolean>;
  /** Lets whoever has waited longest write next; nothing where the turn is not ours. */
  pass(): void;
}

export const noTurns: WritingTurn = {
  take: () => Promise.resolve(undefined),
  isWanted: () => Promise.resolve(false),
  pass: () => undefined,
};

const WAIT_MS = 200;
/** A turn is a courtesy: a database that does not answer is not waited for. */
const ANSWER_MS_MAX = 500;
const LOCK_KEY = 0x6e6f7661;
const WANTED = `
  select from pg_locks
  where locktype = 'advisory' and objid = ${LOCK_KEY} and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
  limit 1`;

/** A turn is an advisory lock, which Postgres gives in the order of asking, and takes back from whoever is gone. */
export class PostgresTurn implements WritingTurn {
  private held: PoolClient | undefined;

  /**
   * @param pool in pipeline mode what is read is asked for together with the lock
   * @param journal when absent, nothing is read: the journal is not in this database
   */
  constructor(
    private readonly pool: Pool,
    private readonly journal?: StreamEnd,
  ) {}

  async take(from: number): Promise<readonly RecordedEvent[] | undefined> {
    if (this.held) return undefined;
    const client = await this.pool.connect().catch(ignore);
    if (!client) return undefined;
    client.on('error', ignore);
    const locked = client.query(
      inTime({ text: `begin; set local lock_timeout = ${WAIT_MS}; select pg_advisory_xact_lock(${LOCK_KEY})` }),
    );
    // A statement of its own, which sees what was committed when the lock was given.
    const read = this.journal && client.query<EventRow>(inTime(this.journal.query(from)));
    read?.catch(ignore);
    try {
      await locked;
    } catch (error) {
      // Somebody else's turn is longer than we wait: write without one. A connection that does not answer goes.
      if (error instanceof DatabaseError) end(client, 'rollback');
      else release(client, true);
      return undefined;
    }
    this.held = client;
    // What was not read with the turn is read as ever.
    const rows = await read?.then((result) => result.rows).catch(ignore);
    return rows && this.journal?.eventsOf(rows);
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
