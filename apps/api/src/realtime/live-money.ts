import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { type Announcement, type LedgerEvent, memberOf, rulesOf } from '@app/domain';
import type { JournalEvent } from '@app/ledger';
import { DELETED_MEMBER, MemberDirectory } from '../identity/member-directory.js';
import type { OpenLedger } from '../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../platform/ledger/injected-ledger.js';
import { toNova } from '../wallet/nova-amount.js';
import { ReadModels } from '../wallet/read-models.js';
import { BALANCE_NOTICE_MS } from './limits.js';
import { LiveSockets } from './live-sockets.js';
import { PacedNotices } from './paced-notices.js';

/** How often, at most, movements are announced, all at once. Nobody hears of their balance more often anyway. */
const TELL_EVERY_MS = 100;
/** The wait before a retry when read models stay behind or a round fails. */
const RETRY_MS = 500;
/** The most announcements that wait; members find the others in their lists. */
const ANNOUNCED_MAX = 1_000;

interface Announced extends Announcement {
  readonly eventId: string;
}

/** What to tell the members who are connected here. */
class Round {
  /** The revision of its last event. */
  revision = -1;
  readonly members = new Set<string>();
  readonly announced: Announced[] = [];

  add(revision: number, members: Iterable<string>, announced: readonly Announced[]): void {
    this.revision = Math.max(this.revision, revision);
    for (const id of members) this.members.add(id);
    if (this.announced.length < ANNOUNCED_MAX) this.announced.push(...announced);
  }
}

/**
 * Tells this process's sockets that their members' money has moved, whoever moved it and in whichever process. It
 * follows the journal as the ledger's writer reads it, and tells members only once their read models show the movement.
 */
@Injectable()
export class LiveMoney implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(LiveMoney.name);
  private readonly balances = new PacedNotices(BALANCE_NOTICE_MS, (id) =>
    this.sockets.tellEverywhere(id, 'balance_changed', {}),
  );
  private readonly stopped = new AbortController();
  private next = new Round();
  private working: Promise<void> | undefined;
  private stopListening: (() => void) | undefined;

  constructor(
    @Inject(OPEN_LEDGER) private readonly ledger: Pick<OpenLedger, 'writer'>,
    private readonly sockets: LiveSockets,
    private readonly readModels: ReadModels,
    private readonly directory: MemberDirectory,
  ) {}

  onApplicationBootstrap(): void {
    this.stopListening = this.ledger.writer.listen({ onEvents: (events) => this.hear(events) });
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopListening?.();
    this.stopped.abort();
    await this.working;
  }

  private hear(events: readonly JournalEvent[]): void {
    if (this.sockets.size === 0) return;
    for (const { id, revision, event } of events) {
      const members = this.connectedIn(event);
      if (members.length > 0) this.next.add(revision, members, this.announcedHere(id, event));
    }
    if (this.next.members.size > 0) this.working ??= this.work();
  }

  private async work(): Promise<void> {
    while (this.next.members.size > 0 && !this.stopped.signal.aborted) {
      const round = this.next;
      this.next = new Round();
      try {
        await this.announce(round);
        await this.rest(TELL_EVERY_MS);
      } catch (error) {
        this.logger.error({ err: error }, 'members were not told of their money: it is tried again');
        round.add(this.next.revision, this.next.members, this.next.announced);
        this.next = round;
        await this.rest(RETRY_MS);
      }
    }
    this.working = undefined;
  }

  private async announce(round: Round): Promise<void> {
    await this.shown(round.revision);
    const senders = await this.directory.find(round.announced.map(({ senderId }) => senderId));
    if (this.stopped.signal.aborted) return;
    for (const { frame, eventId, senderId, recipientId, amount, recipientShare } of round.announced) {
      const senderName = senders.get(senderId)?.displayName ?? DELETED_MEMBER;
      const amounts = { amount: toNova(amount), recipientShare: toNova(recipientShare) };
      this.sockets.tellEverywhere(recipientId, frame, { giftId: eventId, senderId, senderName, ...amounts });
    }
    for (const id of round.members) this.balances.notify(id);
  }

  /**
   * Resolves once members' read models include the ledger up to this revision. A client that is told earlier would read
   * old values.
   */
  private async shown(revision: number): Promise<void> {
    while (!this.stopped.signal.aborted) {
      const { projected } = await this.readModels.caughtUp(revision);
      if (projected) return;
      await this.rest(RETRY_MS);
    }
  }

  private rest(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: this.stopped.signal }).catch(() => undefined);
  }

  /** Members with an account that the event posts to and a socket here. */
  private connectedIn({ entries }: LedgerEvent): string[] {
    return entries.flatMap(([account]) => {
      const id = memberOf(account);
      return id !== undefined && this.sockets.has(id) ? [id] : [];
    });
  }

  private announcedHere(eventId: string, event: LedgerEvent): Announced[] {
    const announcement = rulesOf(event).announces?.(event);
    return announcement && this.sockets.has(announcement.recipientId) ? [{ ...announcement, eventId }] : [];
  }
}
