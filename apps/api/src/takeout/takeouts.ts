import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { InjectPool } from '../platform/database/database.module.js';
import { AppError } from '../platform/errors/app-error.js';
import { ATTEMPTS_MAX, COUNTED_MS, KEPT_MS, LEASE_MS, TAKEOUTS_A_DAY_MAX } from './limits.js';
import type { TakeoutDto, TakeoutState } from './takeout.dto.js';

interface Row {
  readonly id: string;
  readonly ordered_at: Date;
  readonly attempt: string | null;
  readonly parts_done: number;
  readonly parts: number | null;
  readonly finished_at: Date | null;
  readonly bytes: string | null;
  readonly expires_at: Date | null;
}

/** An attempt at a takeout, which this server holds until its lease ends. */
export interface Attempt {
  readonly id: string;
  readonly accountId: string;
  readonly attempt: string;
  readonly orderedAt: Date;
}

interface OrderedRow extends Row {
  readonly age_ms: number;
}

/** Those that count, the newest first. */
const ORDERS = `
  select *, extract(epoch from clock_timestamp() - ordered_at)::float8 * 1000 as age_ms from takeouts
  where account_id = $1 and (finished_at is null or ordered_at > clock_timestamp() - $2 * interval '1 ms')
  order by ordered_at desc`;

const LAST = `
  select * from takeouts where account_id = $1 and removed_at is null and (expires_at is null or expires_at > now())
  order by ordered_at desc limit 1`;

const LEASED = `clock_timestamp() + ${LEASE_MS} * interval '1 ms'`;

const TAKE = `
  update takeouts set attempt = $1, attempts = attempts + 1, next_at = ${LEASED}, parts_done = 0 where id = (
    select id from takeouts where finished_at is null and attempts < ${ATTEMPTS_MAX} and next_at <= clock_timestamp()
    order by next_at limit 1 for update skip locked)
  returning id, account_id, ordered_at`;

const FINISHED = `finished_at = clock_timestamp(), expires_at = clock_timestamp() + ${KEPT_MS} * interval '1 ms'`;
const OWN = 'where id = $1 and attempt = $2 and finished_at is null';

/** The table `takeouts`: what is ordered, who is at it, and what is ready. */
@Injectable()
export class Takeouts {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async last(accountId: string): Promise<TakeoutDto | null> {
    const { rows } = await this.pool.query<Row>(LAST, [accountId]);
    return rows[0] ? toDto(rows[0]) : null;
  }

  /**
   * Orders one, unless one is under way.
   * @param manager of the transaction that the order belongs to
   * @throws AppError 429 too many in 24 hours
   */
  async order(manager: EntityManager, accountId: string): Promise<{ takeout: TakeoutDto; isNew: boolean }> {
    await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`takeout of ${accountId}`]);
    const orders: OrderedRow[] = await manager.query(ORDERS, [accountId, COUNTED_MS]);
    const underWay = orders.find(({ finished_at }) => finished_at === null);
    if (underWay) return { takeout: toDto(underWay), isNew: false };
    const first = orders[TAKEOUTS_A_DAY_MAX - 1];
    if (first) throw tooMany(COUNTED_MS - first.age_ms);
    // The housekeeping removes the file that the new one replaces.
    await manager.query('update takeouts set expires_at = clock_timestamp() where account_id = $1', [accountId]);
    const [row]: Row[] = await manager.query('insert into takeouts (id, account_id) values ($1, $2) returning *', [
      uuidv7(),
      accountId,
    ]);
    if (!row) throw new Error('a takeout was ordered without a row');
    return { takeout: toDto(row), isNew: true };
  }

  /** The bytes of a takeout of this member that can be downloaded. */
  async ready(accountId: string, id: string): Promise<number | undefined> {
    const { rows } = await this.pool.query<{ bytes: string }>(
      `select bytes from takeouts where account_id = $1 and id = $2 and bytes is not null and removed_at is null
         and expires_at > now()`,
      [accountId, id],
    );
    return rows[0] && Number(rows[0].bytes);
  }

  /** Takes the takeout that has waited for longest, if there is one that nobody is at. */
  async take(): Promise<Attempt | undefined> {
    const attempt = randomUUID();
    const { rows } = await this.pool.query<{ id: string; account_id: string; ordered_at: Date }>(TAKE, [attempt]);
    const [row] = rows;
    return row && { id: row.id, accountId: row.account_id, attempt, orderedAt: row.ordered_at };
  }

  /** Goes on holding the lease. False: it was lost, or the account is gone. */
  async renew({ id, attempt }: Attempt, { done, parts }: { done: number; parts: number }): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `update takeouts set next_at = ${LEASED}, parts_done = $3, parts = $4 ${OWN}`,
      [id, attempt, done, parts],
    );
    return rowCount === 1;
  }

  /** False: another attempt or nobody wants it any more. */
  async finish({ id, attempt }: Attempt, bytes: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(`update takeouts set ${FINISHED}, bytes = $3 ${OWN}`, [
      id,
      attempt,
      bytes,
    ]);
    return rowCount === 1;
  }

  /** Another round tries again: at once if this server just stops, else after a while. */
  async giveBack({ id, attempt }: Attempt, { isStopping }: { readonly isStopping: boolean }): Promise<void> {
    await this.pool.query(
      isStopping
        ? `update takeouts set next_at = clock_timestamp(), attempt = null, attempts = attempts - 1 ${OWN}`
        : `update takeouts set next_at = ${LEASED}, attempt = null ${OWN}`,
      [id, attempt],
    );
  }

  /** It cannot be made. */
  async fail({ id, attempt }: Attempt): Promise<void> {
    await this.pool.query(`update takeouts set ${FINISHED} ${OWN}`, [id, attempt]);
  }

  /** Gives up those that failed too often. */
  async failHopeless(): Promise<void> {
    await this.pool.query(
      `update takeouts set ${FINISHED}
       where finished_at is null and attempts >= ${ATTEMPTS_MAX} and next_at <= clock_timestamp()`,
    );
  }

  async exists(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from takeouts where id = $1', [id]);
    return rowCount === 1;
  }

  /** Those whose file must go. */
  async expired(limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `select id from takeouts where finished_at is not null and removed_at is null and expires_at <= clock_timestamp()
       limit $1`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  async ofAccount(accountId: string, limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>('select id from takeouts where account_id = $1 limit $2', [
      accountId,
      limit,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Their files are gone; rows stay for a day, because orders of a day are counted. */
  async markRemoved(id: string): Promise<void> {
    await this.pool.query('update takeouts set removed_at = clock_timestamp() where id = $1', [id]);
    await this.pool.query(
      `delete from takeouts where removed_at is not null and ordered_at < clock_timestamp() - $1 * interval '1 ms'`,
      [COUNTED_MS],
    );
  }

  async forget(id: string): Promise<void> {
    await this.pool.query('delete from takeouts where id = $1', [id]);
  }
}

function stateOf({ finished_at, bytes, attempt }: Row): TakeoutState {
  if (finished_at) return bytes === null ? 'failed' : 'ready';
  return attempt === null ? 'waiting' : 'running';
}

const toDto = (row: Row): TakeoutDto => ({
  id: row.id,
  state: stateOf(row),
  progress: row.bytes === null ? Math.floor((100 * row.parts_done) / Math.max(row.parts ?? 1, 1)) : 100,
  orderedAt: row.ordered_at.toISOString(),
  bytes: row.bytes === null ? null : Number(row.bytes),
  expiresAt: row.bytes === null ? null : (row.expires_at?.toISOString() ?? null),
});

const tooMany = (waitMs: number): AppError =>
  new AppError(
    429,
    'TOO_MANY_TAKEOUTS',
    `You can ask for everything of yours ${TAKEOUTS_A_DAY_MAX} times a day. Please try again later.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) },
  );
