import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from './errors/explained.js';

export interface RoundTimes {
  /** Before the first round; at once where it is absent. */
  readonly firstAfterMs?: number;
  /** From the end of a round to the next. */
  readonly everyMs: number;
}

export interface RepeatedWork extends RoundTimes {
  readonly signal: AbortSignal;
  /** Called after a failed round; the next one follows anyway. */
  readonly onFailure: (error: unknown) => void;
}

/** Repeats work, one round after the other, until it is stopped; it ends with the round that is under way, and never fails. */
export async function inRounds(round: () => Promise<unknown>, work: RepeatedWork): Promise<void> {
  const { firstAfterMs = 0, everyMs, signal, onFailure } = work;
  for (let wait = firstAfterMs; ; wait = everyMs) {
    if (wait > 0) await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    await round().catch(onFailure);
  }
}

/** Periodic work of every server while it runs. */
export abstract class Rounds implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private failedWith: string | undefined;

  /** @param failure what could not be done, for the log */
  protected constructor(
    private readonly times: RoundTimes,
    private readonly failure: string,
  ) {}

  protected abstract round(signal: AbortSignal): Promise<unknown>;

  onApplicationBootstrap(): void {
    const { signal } = this.stopping;
    this.running = inRounds(() => this.round(signal), {
      ...this.times,
      signal,
      onFailure: (error) => this.tellOf(error),
    });
  }

  /** The whole error once; while it stays the same, as until read models are made, its sentence is enough. */
  private tellOf(error: unknown): void {
    const reason = reasonOf(error);
    const details = reason === this.failedWith ? { reason } : { err: error };
    this.failedWith = reason;
    this.logger.warn(details, `${this.failure} failed; the next round retries`);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }
}

/** Tidying up is in no hurry. */
export const HOUSEKEEPING: RoundTimes = { firstAfterMs: 10 * 60_000, everyMs: 10 * 60_000 };
