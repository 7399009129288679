import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from './database/database.module.js';
import { type AreaTables, erasingStatements, TABLES } from './database/tables.js';
import type { By } from './journal/stream-metadata.js';

/** Of each kind at most, so that nobody waits long for the end of a round. */
const ROUND_MAX = 50;

/**
 * Erases what rows alone do not tell: content with its events, files. Every step may be repeated.
 * @param limit how many things at most
 * @returns how many there were; as many as the limit: there may be more
 * @throws AppError 503
 */
export type AccountEraser = (accountId: string, by: By, limit: number) => Promise<number>;

/** Erases what is personal of a closed account (rule accounts-23): each area says what that is, in its tables or by an eraser. */
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
   * One round; reasons of admins stay, and what others wrote.
   * @returns whether that was all; where not, the next round goes on
   * @throws AppError 503
   */
  async erase(accountId: string, by: By): Promise<boolean> {
    for (const sql of this.statements) await this.pool.query(sql, [accountId]);
    let isAll = true;
    for (const eraser of this.erasers) if ((await eraser(accountId, by, ROUND_MAX)) >= ROUND_MAX) isAll = false;
    return isAll;
  }
}
