import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { InjectPool } from '../database/database.module.js';
import { derivedId } from '../derived-id.js';
import { keyReused, tookNoEffect } from '../errors/app-error.js';

/** A call with its `Idempotency-Key`. */
export interface KeyUse {
  /** Member and call: `member:{id}:cards.upvote`. */
  readonly scope: string;
  /** Undefined: there was none. */
  readonly key: string | undefined;
  readonly body: readonly (string | number | boolean | null)[];
}

/**
 * What callers' keys were used for, where that is not for the ledger to tell: its own key is made of the fact
 * (`unlock:{viewer}:{owner}`), or a chat decides. That a repetition takes effect once, and its answer, are the call's.
 */
@Injectable()
export class KeyUses {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /**
   * Does what the key was sent for; only what was not refused is remembered.
   * @throws AppError 422 the key came with another body before
   */
  async guard<T>({ scope, key, body }: KeyUse, work: () => Promise<T>): Promise<T> {
    if (key === undefined) return work();
    const id = derivedId(scope, key);
    await this.remember(id, hash('sha256', JSON.stringify(body), 'hex'));
    try {
      return await work();
    } catch (error) {
      if (tookNoEffect(error)) await this.forget(id);
      throw error;
    }
  }

  private async remember(id: string, body: string): Promise<void> {
    const { rowCount } = await this.pool.query(
      `insert into key_uses as u (id, body) values ($1, $2)
       on conflict (id) do update set calls = u.calls + 1 where u.body = excluded.body`,
      [id, body],
    );
    if (rowCount === 0) throw keyReused();
  }

  private async forget(id: string): Promise<void> {
    await this.pool.query('update key_uses set calls = calls - 1 where id = $1', [id]);
    await this.pool.query('delete from key_uses where id = $1 and calls = 0', [id]);
  }
}
