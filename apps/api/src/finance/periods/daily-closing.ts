import { Injectable } from '@nestjs/common';
import { DAY_MS } from '@app/domain';
import type pg from 'pg';
import { AppError } from '../../platform/errors/app-error.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { inTurn } from '../../platform/database/sole-owner.js';
import { Rounds } from '../../platform/rounds.js';
import { PeriodClosing } from './period-closing.js';

/** How soon another server takes over from a killed one. */
const LOOK_EVERY_MS = 4_000;
/** After a day that could not be closed. */
const REST_MS = 5 * 60_000;
/** Advisory lock of whoever closes a day. */
const CLOSING_LOCK = 4_021_101;

/** The last millisecond of the day before, UTC. */
export const endOfYesterday = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS - 1;

/** Closes each day (UTC) after its end, by one server of the installation; a day on which nothing happened stays open. */
@Injectable()
export class DailyClosing extends Rounds {
  /** The end of the last day that this server closed, or found closed or empty. */
  private doneUntil = -Infinity;
  private restsUntil = -Infinity;

  constructor(
    private readonly closing: PeriodClosing,
    @InjectPool() private readonly pool: pg.Pool,
  ) {
    super({ everyMs: LOOK_EVERY_MS }, 'closing the day');
  }

  protected override async round(): Promise<void> {
    if (performance.now() < this.restsUntil) return;
    try {
      await this.closeUntilToday();
    } catch (error) {
      this.restsUntil = performance.now() + REST_MS;
      throw error;
    }
  }

  /** Closes what ended before today. */
  async closeUntilToday(): Promise<void> {
    const endsAt = endOfYesterday(this.closing.now());
    if (endsAt <= this.doneUntil) return;
    const last = (await this.closing.periods.all()).at(-1);
    if (last && last.endsAt >= endsAt) {
      this.doneUntil = endsAt;
      return;
    }
    await inTurn(this.pool, CLOSING_LOCK, async () => {
      const period = await this.closing
        .close({ endsAt, adminId: null, by: { actor: 'process' } })
        .catch(nothingToClose);
      this.doneUntil = endsAt;
      if (period) this.logger.log(`closed period ${period.number}: its seal is ${period.seal}`);
    });
  }
}

function nothingToClose(error: unknown): undefined {
  if (error instanceof AppError && error.statusCode === 409) return undefined;
  throw error;
}
