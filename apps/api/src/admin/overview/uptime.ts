import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { Rounds } from '../../platform/rounds.js';

const EVERY_MS = 20_000;
/** Longer than the longest period of the overview. */
const FORGOTTEN = `interval '400 days'`;

/** Records each minute in which a server runs, for the uptime. */
@Injectable()
export class Uptime extends Rounds {
  constructor(@InjectPool() private readonly pool: Pool) {
    super({ everyMs: EVERY_MS }, 'writing uptime down');
  }

  protected override async round(): Promise<void> {
    const { rowCount } = await this.pool.query(
      `insert into minutes_up (minute) values (date_trunc('minute', now())) on conflict do nothing`,
    );
    if (rowCount === 1) await this.pool.query(`delete from minutes_up where minute < now() - ${FORGOTTEN}`);
  }
}
