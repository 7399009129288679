import type { Pool } from 'pg';

/** Journal time (`ledger.md`, Time). */
export interface JournalClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** False while the clock is more than a second off, or was never checked: no commands are taken. */
  readonly ready: boolean;
}

const CHECK_EVERY_MS = 5_000;
const DRIFT_MAX_MS = 1_000;
const ANSWER_MS_MAX = 2_000;

/** A time of the database's, told between two moments of this process. */
interface Measure {
  readonly wall: number;
  /** The middle between the two. */
  readonly monotonic: number;
  /** How far off it may be: half of the time between them. */
  readonly errorMs: number;
}

/** Postgres time plus monotonic elapsed time, checked again and again: all servers of one installation share it. */
export class PostgresClock implements JournalClock {
  private anchor: Measure | undefined;
  private agreed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  get ready(): boolean {
    return this.agreed;
  }

  now(): number {
    if (!this.anchor) throw new Error('the journal clock was not started');
    return Math.floor(this.anchor.wall + performance.now() - this.anchor.monotonic);
  }

  async start(): Promise<void> {
    await this.check();
    this.timer = setInterval(() => {
      // A database that does not answer leaves the clock as it was: monotonic time needs no database.
      this.check().catch(() => undefined);
    }, CHECK_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Measures once; a clock found off takes the new time at once and is ready when the next measure agrees. Of measures that agree
   * the sharpest stays: the first one connects as well, which can take long.
   */
  private async check(): Promise<void> {
    const before = performance.now();
    const question = {
      text: 'select extract(epoch from clock_timestamp()) * 1000 as ms',
      query_timeout: ANSWER_MS_MAX,
    };
    const { rows } = await this.pool.query<{ ms: string }>(question);
    const after = performance.now();
    const errorMs = (after - before) / 2;
    const measured = { wall: Number(rows[0]?.ms), monotonic: before + errorMs, errorMs };
    const expected = this.anchor ? this.anchor.wall + measured.monotonic - this.anchor.monotonic : measured.wall;
    this.agreed = Math.abs(measured.wall - expected) <= DRIFT_MAX_MS + errorMs;
    if (!this.anchor || !this.agreed || errorMs < this.anchor.errorMs) this.anchor = measured;
  }
}

/** This machine's own clock: for tests and for tools without a database. */
export const systemClock: JournalClock = { now: () => Date.now(), ready: true };
