import { Inject, Injectable } from '@nestjs/common';
import {
  CHAT_STREAM_PREFIX,
  type ChatEventType,
  decodeChatEvent,
  decodeLedgerEvent,
  LEDGER_STREAM,
  type LedgerEventType,
} from '@app/domain';
import { type EventStore, type RecordedEvent, upcast } from '@app/event-store';
import type { Pool, PoolClient } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { EVENT_STORE } from '../platform/journal/injected-journal.js';
import { followAfter, followedIn, JournalFollower } from '../platform/journal/journal-follower.js';
import { isUuid } from '../platform/uuid.js';
import { addNotices, Notices } from './notices.js';
import { type Told, toldOfChat, toldOfLedger } from './notices-of-events.js';
import { RequestMails } from './request-mails.js';
import { queuePushes } from './push/push-queue.js';

/** Any number: one process of an installation follows the journal for notices. */
const PROCESS_LOCK = 7_266_182_020;
const TABLE = 'notice_process';
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

/** Writes down what members are told of chats and ledger, with their notifications and mails (rule notices-2). */
@Injectable()
export class NoticeProcess extends JournalFollower {
  private readonly told = new Set<string>();
  private forgotAt = performance.now();

  constructor(
    @InjectPool() pool: Pool,
    @Inject(EVENT_STORE) store: EventStore,
    private readonly notices: Notices,
    private readonly mails: RequestMails,
  ) {
    super(pool, store, {
      purpose: 'notices',
      table: TABLE,
      name: 'notices',
      lock: PROCESS_LOCK,
      streamPrefixes: [CHAT_STREAM_PREFIX, LEDGER_STREAM],
      restMs: REST_MS,
    });
  }

  protected override async take(batch: readonly RecordedEvent[], client: PoolClient): Promise<void> {
    const told = batch.map((recorded) => this.toldOf(recorded));
    const notices = told.flatMap((each) => each.notices ?? []).filter(({ memberId }) => isUuid(memberId));
    const pushes = told.flatMap((each) => each.pushes ?? []).filter(({ memberId }) => isUuid(memberId));
    await addNotices((sql, values) => client.query(sql, values), notices);
    await queuePushes(client, pushes);
    await this.mails.queue(client, pushes);
    for (const { memberId } of notices) this.told.add(memberId);
  }

  protected override async afterBatch(): Promise<void> {
    if (performance.now() - this.forgotAt < FORGET_EVERY_MS) return;
    this.forgotAt = performance.now();
    await this.notices.forget([...this.told]);
    this.told.clear();
  }

  /** Pages still show what nobody is told of. */
  private toldOf(recorded: RecordedEvent): Told {
    const { type, data, id, stream } = recorded;
    return this.readOr<Told>(recorded, {}, () => {
      if (stream === LEDGER_STREAM) {
        return OF_LEDGER.has(type) ? toldOfLedger(decodeLedgerEvent(type, upcast(type, data)), id) : {};
      }
      return OF_CHATS.has(type) ? toldOfChat(decodeChatEvent(type, upcast(type, data)), id) : {};
    });
  }
}

export const followedForNotices = (client: PoolClient): Promise<bigint> => followedIn(client, TABLE);
export const followForNoticesAfter = (client: PoolClient, position: bigint): Promise<void> =>
  followAfter(client, TABLE, position);
