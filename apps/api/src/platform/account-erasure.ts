import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from './database/database.module.js';
import { type AreaTables, erasingStatements, TABLES } from './database/tables.js';
import type { By } from './journal/stream-metadata.js';

/** Things that one eraser takes in one round, so that rounds stay short. */
const ROUND_MAX = 50;

/**
 * Erases what needs more than SQL: content with its events, files. It may be repeated at any step.
 * @param limit the most things to erase
 * @returns how many it erased. If that is the limit, there may be more
 * @throws AppError 503
 */
export type AccountEraser = (accountId: string, by: By, limit: number) => Promise<number>;

/** Erases the personal data of a closed account (rule accounts-23). Each area names them in its tables or registers an eraser. */
@Injectable()
export class AccountErasure {
  private readonly statements: readonly string[];
  private readonly erasers: AccountEraser[] = [];

  constructor(
    @InjectPool() private readonly pool: Pool,
    @Inject(TABLES) tables: readonly AreaTables[],
  ) {
    this.statements = erasingStatements(tables);
  }

  register(eraser: AccountEraser): void {
    this.erasers.push(eraser);
  }

  /**
   * Runs one round. Admins' reasons and what others wrote stay.
   * @returns whether everything is erased. If not, run another round
   * @throws AppError 503
   */
  async erase(accountId: string, by: By): Promise<boolean> {
    for (const sql of this.statements) await this.pool.query(sql, [accountId]);
    let isAll = true;
    for (const eraser of this.erasers) if ((await eraser(accountId, by, ROUND_MAX)) >= ROUND_MAX) isAll = false;
    return isAll;
  }
}
