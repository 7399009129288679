import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  CHAT_STREAM_PREFIX,
  type ChatEventType,
  decodeChatEvent,
  decodeLedgerEvent,
  LEDGER_STREAM,
  type LedgerEventType,
} from '@app/domain';
import { type EventStore, lastPosition, type RecordedEvent, upcast } from '@app/event-store';
import type { Pool, PoolClient } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { asSoleOwner } from '../platform/database/sole-owner.js';
import { EVENT_STORE } from '../platform/journal/injected-journal.js';
import { Rounds } from '../platform/rounds.js';
import { isUuid } from '../platform/uuid.js';
import { addNotices, Notices } from './notices.js';
import { type Told, toldOfChat, toldOfLedger } from './notices-of-events.js';
import { RequestMails } from './request-mails.js';
import { queuePushes } from './push/push-queue.js';

/** Any number: one process of an installation follows the journal for notices. */
const PROCESS_LOCK = 7_266_182_020;
const NAME = 'notices';
const AGAIN_MS = 1_000;
/** How long events gather between two batches: each is a transaction, beside the commands that wait for theirs. */
const REST_MS = 100;
/** How often members with new notices lose those that are too many. */
const FORGET_EVERY_MS = 60_000;

/** The events that somebody is told of. Others are not even read. */
const OF_CHATS: ReadonlySet<string> = new Set<ChatEventType>(['ChatRequested', 'ChatAccepted', 'ChatMessageSent']);
const OF_LEDGER: ReadonlySet<string> = new Set<LedgerEventType>([
  'ChatPaymentRefunded',
  'ChatPaymentSettled',
  'ChatRewardReleased',
  'GiftSent',
]);

/**
 * Follows chats and ledger from where it had come, and writes down what members are told of them (rule notices-2). A batch's notices,
 * its notifications and the place after it are one transaction, so none is lost or told twice.
 */
@Injectable()
export class NoticeProcess extends Rounds implements OnModuleInit {
  private readonly told = new Set<string>();
  private forgotAt = performance.now();

  constructor(
    @InjectPool() private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly notices: Notices,
    private readonly mails: RequestMails,
  ) {
    super({ everyMs: AGAIN_MS }, 'following the journal for notices');
  }

  /** Of what happened before there were notices nobody is told: a new installation begins at its first event. */
  async onModuleInit(): Promise<void> {
    if ((await this.load()) !== undefined) return;
    const head = (await lastPosition(this.store)) ?? -1n;
    await this.pool.query('insert into notice_process (name, position) values ($1, $2) on conflict do nothing', [
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
      streamPrefixes: [CHAT_STREAM_PREFIX, LEDGER_STREAM],
      signal,
    });
    for await (const batch of subscription) {
      const last = batch.at(-1)?.position ?? reached;
      await this.take(batch, reached, last);
      reached = last;
      await this.forget();
      await sleep(REST_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async take(batch: readonly RecordedEvent[], from: bigint, to: bigint): Promise<void> {
    const told = batch.map((recorded) => this.toldOf(recorded));
    const notices = told.flatMap((each) => each.notices ?? []).filter(({ memberId }) => isUuid(memberId));
    const pushes = told.flatMap((each) => each.pushes ?? []).filter(({ memberId }) => isUuid(memberId));
    await inTransaction(this.pool, async (client) => {
      const moved = await client.query('update notice_process set position = $3 where name = $1 and position = $2', [
        NAME,
        from,
        to,
      ]);
      if (moved.rowCount !== 1) throw new Error('another process follows the journal for notices');
      await addNotices((sql, values) => client.query(sql, values), notices);
      await queuePushes(client, pushes);
      await this.mails.queue(client, pushes);
    });
    for (const { memberId } of notices) this.told.add(memberId);
  }

  private toldOf({ type, data, id, stream, position }: RecordedEvent): Told {
    try {
      if (stream === LEDGER_STREAM) {
        return OF_LEDGER.has(type) ? toldOfLedger(decodeLedgerEvent(type, upcast(type, data)), id) : {};
      }
      return OF_CHATS.has(type) ? toldOfChat(decodeChatEvent(type, upcast(type, data)), id) : {};
    } catch (error) {
      // Of a newer version perhaps. Pages still show what nobody is told of.
      this.logger.error(
        { err: error, stream, type, position: String(position) },
        'an event could not be read for notices',
      );
      return {};
    }
  }

  private async forget(): Promise<void> {
    if (performance.now() - this.forgotAt < FORGET_EVERY_MS) return;
    this.forgotAt = performance.now();
    await this.notices.forget([...this.told]);
    this.told.clear();
  }

  private async load(): Promise<bigint | undefined> {
    const { rows } = await this.pool.query<{ position: string }>(
      'select position from notice_process where name = $1',
      [NAME],
    );
    return rows[0] && BigInt(rows[0].position);
  }
}

/** Up to which position the journal was followed for notices; −1 where nobody has yet. Where public is not on the search path as well. */
export async function followedForNotices(client: PoolClient): Promise<bigint> {
  const { rows } = await client.query<{ position: string }>(
    'select max(position) as position from public.notice_process',
  );
  return BigInt(rows[0]?.position ?? -1);
}

/** It is followed from this position on, which is another store's. */
export async function followForNoticesAfter(client: PoolClient, position: bigint): Promise<void> {
  await client.query('update public.notice_process set position = $1', [position]);
}
