import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';

const EVERY_MS = 20_000;
/** Longer ago than the longest period that can be asked for. */
const FORGOTTEN = `interval '400 days'`;

/** Writes down each minute in which a server is there: what uptime is measured by. */
@Injectable()
export class Uptime implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Uptime.name);
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(@InjectPool() private readonly pool: Pool) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(), EVERY_MS);
    this.timer.unref();
    this.tick();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
  }

  private tick(): void {
    this.writing = this.write().catch((error: unknown) => this.logger.warn({ err: error }, 'uptime was not written'));
  }

  private async write(): Promise<void> {
    const { rowCount } = await this.pool.query(
      `insert into minutes_up (minute) values (date_trunc('minute', now())) on conflict do nothing`,
    );
    if (rowCount === 1) await this.pool.query(`delete from minutes_up where minute < now() - ${FORGOTTEN}`);
  }
}
