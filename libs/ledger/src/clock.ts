import type { Pool } from 'pg';

/** Journal time (rule ledger-30). */
export interface JournalClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** False while the clock is more than a second off, or was never checked: no commands are taken. */
  readonly ready: boolean;
  /** Why it is not ready, as a phrase for operators. */
  readonly trouble?: string | undefined;
}

const CHECK_EVERY_MS = 5_000;
const DRIFT_MAX_MS = 1_000;
const ANSWER_MS_MAX = 2_000;
/** How far the clocks of database and machine may differ. Only people can say which one is right. */
const APART_MS_MAX = 10 * 60_000;

/** A time of the database's, told between two moments of this process. */
interface Measure {
  readonly wall: number;
  /** The middle between the two. */
  readonly monotonic: number;
  /** How far off it may be: half of the time between them. */
  readonly errorMs: number;
}

/**
 * Postgres time plus monotonic elapsed time, checked regularly: all servers of one installation share it. Journal time
 * never runs back, so a time that is wrong for a moment must not enter it.
 */
export class PostgresClock implements JournalClock {
  private anchor: Measure | undefined;
  private last: Measure | undefined;
  private agreed = false;
  /** How far the database's clock was ahead of this machine's, in milliseconds. */
  private aheadMs = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param wallClock this machine's time, in milliseconds since 1970 */
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly wallClock: () => number = Date.now,
  ) {}

  get ready(): boolean {
    return this.agreed;
  }

  get trouble(): string | undefined {
    if (this.agreed) return undefined;
    if (Math.abs(this.aheadMs) <= APART_MS_MAX) return 'the clock is more than a second off';
    const side = this.aheadMs > 0 ? 'ahead of' : 'behind';
    return `the database's clock is ${timeSpan(this.aheadMs)} ${side} this machine's: set the wrong one right`;
  }

  now(): number {
    if (!this.anchor) throw new Error('the journal clock was not started');
    return Math.floor(this.anchor.wall + performance.now() - this.anchor.monotonic);
  }

  async start(): Promise<void> {
    await this.check();
    this.timer = setInterval(() => {
      // Without an answer the clock continues: monotonic time needs no database.
      this.check().catch(() => undefined);
    }, CHECK_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Measures once. A changed time is accepted when two measures agree on it and this machine's clock does not
   * contradict: then both have slept. If only the database's clock has jumped, no commands are taken until people have
   * looked. Of agreeing measures the sharpest stays: the first one also connects, which can take long.
   */
  private async check(): Promise<void> {
    const before = performance.now();
    const question = {
      text: 'select extract(epoch from clock_timestamp()) * 1000 as ms',
      query_timeout: ANSWER_MS_MAX,
    };
    const { rows } = await this.pool.query<{ ms: string }>(question);
    const errorMs = (performance.now() - before) / 2;
    const measured = { wall: Number(rows[0]?.ms), monotonic: before + errorMs, errorMs };
    this.aheadMs = measured.wall + errorMs - this.wallClock();
    const isSteady = !this.last || agrees(measured, this.last);
    this.last = measured;
    this.agreed = isSteady && Math.abs(this.aheadMs) <= APART_MS_MAX + errorMs;
    const isBetter = !this.anchor || !agrees(measured, this.anchor) || errorMs < this.anchor.errorMs;
    if (!this.anchor || (this.agreed && isBetter)) this.anchor = measured;
  }
}

/** Whether the time has gone on between two measures as it should have. */
const agrees = (measured: Measure, before: Measure): boolean =>
  Math.abs(measured.wall - before.wall - (measured.monotonic - before.monotonic)) <= DRIFT_MAX_MS + measured.errorMs;

const SPANS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A length of time in its largest unit, rounded down: `30 days`, `1 hour`. */
export function timeSpan(ms: number): string {
  const [name, unit] = SPANS.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1_000];
  const count = Math.floor(Math.abs(ms) / unit);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** How far journal time may be ahead of the clock before it is reported: servers' measures differ by less. */
const AHEAD_MS_MAX = 60_000;

/**
 * What is wrong with a journal whose last event is dated in the future, as a phrase; undefined where it is not.
 * @param at the last event's time, and `now`: milliseconds since 1970
 */
export function journalAhead(at: number, now: number): string | undefined {
  if (at - now <= AHEAD_MS_MAX) return undefined;
  return `journal time is ${timeSpan(at - now)} ahead: every event is dated ${new Date(at).toISOString()} until that has passed`;
}

/** This machine's own clock: for tests and for tools without a database. */
export const systemClock: JournalClock = { now: () => Date.now(), ready: true };
