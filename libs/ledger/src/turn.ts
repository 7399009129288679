import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from 'pg';

/** Order between servers that write at the same time: one batch each. Only a hint; correctness is the expected revision's. */
export interface WritingTurn {
  /** Resolves when the turn is ours, or after a fifth of a second at most. */
  take(): Promise<void>;
  /** Whether another server has a turn or waits for one; false where that is not known. */
  isWanted(): Promise<boolean>;
  /** Lets whoever has waited longest write next; nothing where the turn is not ours. */
  pass(): void;
}

export const noTurns: WritingTurn = {
  take: () => Promise.resolve(),
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

  constructor(private readonly pool: Pool) {}

  async take(): Promise<void> {
    if (this.held) return;
    const client = await this.pool.connect().catch(() => undefined);
    if (!client) return;
    client.on('error', ignore);
    try {
      await client.query(
        inTime(`begin; set local lock_timeout = ${WAIT_MS}; select pg_advisory_xact_lock(${LOCK_KEY})`),
      );
      this.held = client;
    } catch (error) {
      // Somebody else's turn is longer than we wait: write without one. A connection that does not answer goes.
      if (error instanceof DatabaseError) end(client, 'rollback');
      else release(client, true);
    }
  }

  async isWanted(): Promise<boolean> {
    if (this.held) return false;
    try {
      return (await this.pool.query(inTime(WANTED))).rows.length > 0;
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
  client.query(inTime(how)).then(
    () => release(client, false),
    () => release(client, true),
  );
}

function release(client: PoolClient, isBroken: boolean): void {
  client.removeListener('error', ignore);
  client.release(isBroken);
}

/** A connection that ends gives its lock back; the next query on it says so. */
const ignore = (): void => undefined;

const inTime = (text: string): QueryConfig => {
  const query = { text, query_timeout: ANSWER_MS_MAX };
  return query;
};
