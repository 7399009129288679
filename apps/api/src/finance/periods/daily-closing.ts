import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { AppError } from '../../platform/errors/app-error.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { inTurn } from '../../platform/database/in-turn.js';
import { PeriodClosing } from './period-closing.js';

const LOOK_EVERY_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
/** Advisory lock of whoever closes a day. */
const CLOSING_LOCK = 4_021_101;

/** The last millisecond of the day before, UTC. */
export const endOfYesterday = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS - 1;

/** Closes each day (UTC) after its end, by one server of the installation; a day on which nothing happened stays open. */
@Injectable()
export class DailyClosing implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DailyClosing.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly closing: PeriodClosing,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Closes what ended before today. */
  async closeUntilToday(): Promise<void> {
    const endsAt = endOfYesterday(this.closing.now());
    const last = (await this.closing.periods.all()).at(-1);
    if (last && last.endsAt >= endsAt) return;
    await inTurn(this.pool, CLOSING_LOCK, async () => {
      const period = await this.closing
        .close({ endsAt, adminId: null, by: { actor: 'process' } })
        .catch(nothingToClose);
      if (period) this.logger.log(`closed period ${period.number}: its seal is ${period.seal}`);
    });
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.closeUntilToday().catch((error: unknown) => {
        this.logger.warn({ err: error }, 'closing the day failed; the next round will do');
      });
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

function nothingToClose(error: unknown): undefined {
  if (error instanceof AppError && error.statusCode === 409) return undefined;
  throw error;
}
