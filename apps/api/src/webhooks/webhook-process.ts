import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { decodeLedgerEvent, LEDGER_STREAM } from '@app/domain';
import { type EventStore, lastPosition, type RecordedEvent, upcast } from '@app/event-store';
import type { Pool, PoolClient } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { asSoleOwner } from '../platform/database/sole-owner.js';
import { EVENT_STORE } from '../platform/journal/injected-journal.js';
import { Rounds } from '../platform/rounds.js';
import { isUuid } from '../platform/uuid.js';
import { factsOfLedger, type WebhookFact } from './facts-of-ledger.js';
import { queueFacts } from './queue-deliveries.js';

/** Any number: one process of an installation follows the journal for webhooks. */
const PROCESS_LOCK = 7_266_182_021;
const NAME = 'webhooks';
const AGAIN_MS = 1_000;
/** How long events gather between two batches: each is a transaction, beside the commands that wait for theirs. */
const REST_MS = 50;

/**
 * Follows the ledger from where it had come, and queues what applications are told of it (rule webhooks-2). A batch's deliveries and
 * the place after it are one transaction, so none is lost or queued twice.
 */
@Injectable()
export class WebhookProcess extends Rounds implements OnModuleInit {
  constructor(
    @InjectPool() private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {
    super({ everyMs: AGAIN_MS }, 'following the journal for webhooks');
  }

  /** Of what happened before there were webhooks no application is told. */
  async onModuleInit(): Promise<void> {
    if ((await this.load()) !== undefined) return;
    const head = (await lastPosition(this.store)) ?? -1n;
    await this.pool.query('insert into webhook_process (name, position) values ($1, $2) on conflict do nothing', [
      NAME,
      head,
    ]);
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return asSoleOwner({ pool: this.pool, lock: PROCESS_LOCK, signal }, (ending) => this.follow(ending));
  }

  private async follow(signal: AbortSignal): Promise<void> {
    let reached = (await this.load()) ?? -1n;
    const subscription = this.store.subscribeAll({
      ...(reached >= 0n && { after: reached }),
      streamPrefixes: [LEDGER_STREAM],
      signal,
    });
    for await (const batch of subscription) {
      const last = batch.at(-1)?.position ?? reached;
      await this.take(batch, reached, last);
      reached = last;
      await sleep(REST_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async take(batch: readonly RecordedEvent[], from: bigint, to: bigint): Promise<void> {
    const facts = batch.flatMap((recorded) => this.factsOf(recorded));
    await inTransaction(this.pool, async (client) => {
      const moved = await client.query('update webhook_process set position = $3 where name = $1 and position = $2', [
        NAME,
        from,
        to,
      ]);
      if (moved.rowCount !== 1) throw new Error('another process follows the journal for webhooks');
      await queueFacts(async (sql, values) => (await client.query(sql, values)).rows, facts);
    });
  }

  private factsOf({ type, data, id, stream, position }: RecordedEvent): WebhookFact[] {
    if (stream !== LEDGER_STREAM) return [];
    try {
      const facts = factsOfLedger(decodeLedgerEvent(type, upcast(type, data)), id);
      return facts.filter(({ memberId }) => memberId === undefined || isUuid(memberId));
    } catch (error) {
      // Of a newer version perhaps, whose own process tells of what follows.
      this.logger.error(
        { err: error, stream, type, position: String(position) },
        'an event could not be read for webhooks',
      );
      return [];
    }
  }

  private async load(): Promise<bigint | undefined> {
    const { rows } = await this.pool.query<{ position: string }>(
      'select position from webhook_process where name = $1',
      [NAME],
    );
    return rows[0] && BigInt(rows[0].position);
  }
}

/** Up to which position the journal was followed for webhooks; −1 where nobody has yet. Where public is not on the search path as well. */
export async function followedForWebhooks(client: PoolClient): Promise<bigint> {
  const { rows } = await client.query<{ position: string }>(
    'select max(position) as position from public.webhook_process',
  );
  return BigInt(rows[0]?.position ?? -1);
}

/** It is followed from this position on, which is another store's. */
export async function followForWebhooksAfter(client: PoolClient, position: bigint): Promise<void> {
  await client.query('update public.webhook_process set position = $1', [position]);
}
