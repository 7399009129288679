import type { Pool } from 'pg';

/** Fairness between servers: who lost a race takes a turn. Only a hint; correctness is the expected revision's. */
export interface WritingTurn {
  /** Resolves when the turn is ours or after 50 ms at most; given back by itself after a second. */
  take(): Promise<void>;
}

export const noTurns: WritingTurn = { take: () => Promise.resolve() };

const TURN_MS = 1_000;
const WAIT_MS = 50;
const LOCK_KEY = 0x6e6f7661;

/** A turn on a Postgres advisory lock. */
export class PostgresTurn implements WritingTurn {
  private held = false;

  constructor(private readonly pool: Pool) {}

  async take(): Promise<void> {
    if (this.held) return;
    const client = await this.pool.connect();
    try {
      await client.query(`set lock_timeout = ${WAIT_MS}`);
      await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    } catch {
      // Somebody else's turn is longer than we wait: write without one.
      await client.query('reset lock_timeout').catch(() => undefined);
      client.release();
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
