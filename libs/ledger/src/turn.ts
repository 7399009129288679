import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from 'pg';

/** Fairness between servers: who lost a race takes a turn. Only a hint; correctness is the expected revision's. */
export interface WritingTurn {
  /** Resolves when the turn is ours or after 50 ms at most; given back by itself after a second. */
  take(): Promise<void>;
}

export const noTurns: WritingTurn = { take: () => Promise.resolve() };

const TURN_MS = 1_000;
const WAIT_MS = 50;
/** A turn is a courtesy: a database that does not answer is not waited for. */
const ANSWER_MS_MAX = 500;
const LOCK_KEY = 0x6e6f7661;

/** A turn on a Postgres advisory lock. */
export class PostgresTurn implements WritingTurn {
  private held = false;

  constructor(private readonly pool: Pool) {}

  async take(): Promise<void> {
    if (this.held) return;
    const client = await this.pool.connect().catch(() => undefined);
    if (!client) return;
    try {
      await client.query(inTime(`set lock_timeout = ${WAIT_MS}`));
      await client.query(inTime('select pg_advisory_lock($1)', [LOCK_KEY]));
    } catch (error) {
      // Somebody else's turn is longer than we wait: write without one. A connection that does not answer goes.
      const answered = error instanceof DatabaseError && (await isReset(client));
      client.release(!answered);
      return;
    }
    this.held = true;
    setTimeout(() => {
      this.held = false;
      // Ending the connection gives the lock back whatever state it is in.
      client.release(true);
    }, TURN_MS).unref();
  }
}

const inTime = (text: string, values: unknown[] = []): QueryConfig => {
  const query = { text, values, query_timeout: ANSWER_MS_MAX };
  return query;
};

const isReset = (client: PoolClient): Promise<boolean> =>
  client.query(inTime('reset lock_timeout')).then(
    () => true,
    () => false,
  );
