import { setTimeout as sleep } from 'node:timers/promises';
import type { OnModuleInit } from '@nestjs/common';
import { type EventStore, lastPosition, type RecordedEvent } from '@app/event-store';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../database/in-transaction.js';
import { asSoleOwner } from '../database/sole-owner.js';
import { Rounds } from '../rounds.js';

const AGAIN_MS = 1_000;

export interface Following {
  /** What for, in sentences of the log. */
  readonly purpose: string;
  /** The follower's own table, with `name` and `position`; it has one row. */
  readonly table: string;
  readonly name: string;
  /** An advisory lock of its own: one process of an installation follows. */
  readonly lock: number;
  readonly streamPrefixes: readonly string[];
  /** How long events gather between two batches: each is a transaction, beside the commands that wait for theirs. */
  readonly restMs: number;
}

/**
 * Follows the journal from where it had come. What a batch leads to and the place after it are one transaction, so that nothing is
 * left out or done twice.
 */
export abstract class JournalFollower extends Rounds implements OnModuleInit {
  protected constructor(
    protected readonly pool: Pool,
    private readonly store: EventStore,
    private readonly following: Following,
  ) {
    super({ everyMs: AGAIN_MS }, `following the journal for ${following.purpose}`);
  }

  /** What events of these streams lead to, in the transaction that moves the place. */
  protected abstract take(batch: readonly RecordedEvent[], client: PoolClient): Promise<void>;

  /** After the transaction. */
  protected afterBatch(): Promise<void> {
    return Promise.resolve();
  }

  /** Of what happened before there was a place nothing follows: a new installation begins at its first event. */
  async onModuleInit(): Promise<void> {
    const { table, name } = this.following;
    if ((await this.load()) !== undefined) return;
    const head = (await lastPosition(this.store)) ?? -1n;
    await this.pool.query(`insert into ${table} (name, position) values ($1, $2) on conflict do nothing`, [name, head]);
  }

  /** What an event says, or `none` for one that this release cannot read: of a newer version, whose own process takes what follows. */
  protected readOr<T>({ id, stream, type, position }: RecordedEvent, none: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.logger.error(
        { err: error, id, stream, type, position: String(position) },
        `an event could not be read for ${this.following.purpose}`,
      );
      return none;
    }
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return asSoleOwner({ pool: this.pool, lock: this.following.lock, signal }, (ending) => this.follow(ending));
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const { streamPrefixes, restMs } = this.following;
    let reached = (await this.load()) ?? -1n;
    const after = reached >= 0n ? { after: reached } : {};
    for await (const batch of this.store.subscribeAll({ ...after, streamPrefixes: [...streamPrefixes], signal })) {
      const last = batch.at(-1)?.position ?? reached;
      await this.move(batch, reached, last);
      reached = last;
      await this.afterBatch();
      await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private move(batch: readonly RecordedEvent[], from: bigint, to: bigint): Promise<void> {
    const { table, name, purpose } = this.following;
    return inTransaction(this.pool, async (client) => {
      const moved = await client.query(`update ${table} set position = $3 where name = $1 and position = $2`, [
        name,
        from,
        to,
      ]);
      if (moved.rowCount !== 1) throw new Error(`another process follows the journal for ${purpose}`);
      await this.take(batch, client);
    });
  }

  private async load(): Promise<bigint | undefined> {
    const { table, name } = this.following;
    const { rows } = await this.pool.query<{ position: string }>(`select position from ${table} where name = $1`, [
      name,
    ]);
    return rows[0] && BigInt(rows[0].position);
  }
}

/** Up to which position a follower has come; −1 where nobody has followed yet. Where public is not on the search path as well. */
export async function followedIn(client: PoolClient, table: string): Promise<bigint> {
  const { rows } = await client.query<{ position: string }>(`select max(position) as position from public.${table}`);
  return BigInt(rows[0]?.position ?? -1);
}

/** It is followed from this position on, which is another store's. */
export async function followAfter(client: PoolClient, table: string, position: bigint): Promise<void> {
  await client.query(`update public.${table} set position = $1`, [position]);
}
