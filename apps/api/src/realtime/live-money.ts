import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeLedgerEvent, LEDGER_STREAM, type GiftSent } from '@app/domain';
import { type EventStore, type RecordedEvent, upcast } from '@app/event-store';
import { DELETED_MEMBER, MemberDirectory } from '../identity/member-directory.js';
import { InjectEventStore } from '../platform/journal/journal.module.js';
import { toNova } from '../wallet/nova-amount.js';
import { ReadModels } from '../wallet/read-models.js';
import { Follower } from './follower.js';
import { BALANCE_NOTICE_MS } from './limits.js';
import type { Payload } from './live-socket.js';
import { LiveSockets } from './live-sockets.js';
import { PacedNotices } from './paced-notices.js';

/** The ledger is read so often at most, and then all that has come: nobody hears of their balance more often anyway. */
const READ_EVERY_MS = 100;
/** Where read models stay behind for long, they are waited for anew after so long. */
const BEHIND_MS = 500;

/** An account of a member in the text of an event's entries: that most concern nobody here is told without decoding them. */
const MEMBERS_ACCOUNT = /\["user:([^":]+):/g;

interface ReceivedGift extends Pick<GiftSent, 'senderId' | 'recipientId' | 'amount' | 'recipientShare'> {
  readonly giftId: string;
}

/**
 * Tells this process's sockets that money of their members has moved, whoever moved it and by which process: from the ledger's
 * stream, and only once what members look at shows it.
 */
@Injectable()
export class LiveMoney {
  private readonly logger = new Logger(LiveMoney.name);
  private readonly follower: Follower;
  private readonly balances = new PacedNotices(BALANCE_NOTICE_MS, (id) => this.tell(id, 'balance_changed', {}));

  constructor(
    @InjectEventStore() store: EventStore,
    private readonly sockets: LiveSockets,
    private readonly readModels: ReadModels,
    private readonly directory: MemberDirectory,
  ) {
    this.follower = new Follower({
      store,
      streamPrefixes: [LEDGER_STREAM],
      take: async (batch, signal) => {
        await this.announce(batch, signal);
        await pause(READ_EVERY_MS, undefined, { signal }).catch(() => undefined);
      },
      logger: this.logger,
    });
  }

  start(): Promise<void> {
    return this.follower.start();
  }

  stop(): Promise<void> {
    return this.follower.stop();
  }

  private async announce(batch: readonly RecordedEvent[], signal: AbortSignal): Promise<void> {
    const concerned = batch.map((event) => ({ event, members: this.connectedIn(event) }));
    const last = concerned.findLast(({ members }) => members.length > 0);
    if (last === undefined) return;
    await this.shown(last.event.revision, signal);
    const gifts = concerned.flatMap(({ event, members }) => (members.length > 0 ? this.receivedHere(event) : []));
    const senders = await this.directory.find(gifts.map(({ senderId }) => senderId));
    if (signal.aborted) return;
    for (const { giftId, senderId, recipientId, amount, recipientShare } of gifts) {
      const senderName = senders.get(senderId)?.displayName ?? DELETED_MEMBER;
      const amounts = { amount: toNova(amount), recipientShare: toNova(recipientShare) };
      this.tell(recipientId, 'gift_received', { giftId, senderId, senderName, ...amounts });
    }
    for (const id of new Set(concerned.flatMap(({ members }) => members))) this.balances.notify(id);
  }

  /** Resolves once what members look at holds the ledger up to this revision: a client that is told earlier would read what was. */
  private async shown(revision: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { projected } = await this.readModels.caughtUp(revision);
      if (projected) return;
      await pause(BEHIND_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Who has an account that the event posts to, and a socket here. */
  private connectedIn({ data }: RecordedEvent): string[] {
    if (this.sockets.size === 0) return [];
    return [...data.matchAll(MEMBERS_ACCOUNT)].flatMap(([, id = '']) => (this.sockets.has(id) ? [id] : []));
  }

  /** The event, if it is a gift to somebody who is connected here. */
  private receivedHere({ id: giftId, type, data, revision }: RecordedEvent): ReceivedGift[] {
    try {
      if (type !== 'GiftSent') return [];
      const event = decodeLedgerEvent(type, upcast(type, data));
      return event.type === 'GiftSent' && this.sockets.has(event.recipientId) ? [{ ...event, giftId }] : [];
    } catch (error) {
      // Of a newer version perhaps: lists and pages still show it.
      this.logger.error({ err: error, revision, type }, 'an event of the ledger could not be read');
      return [];
    }
  }

  /** To every socket of a member that listens to everything. */
  private tell(memberId: string, type: string, payload: Payload): void {
    for (const socket of this.sockets.of(memberId)) if (socket.isGlobal) socket.send(type, payload);
  }
}
