import { Injectable } from '@nestjs/common';
import type { By } from '../../platform/journal/stream-metadata.js';
import { Rounds } from '../../platform/rounds.js';
import { ChatReadModels } from '../chat-read-models.js';
import { ChatSettlement } from '../chat-settlement.js';
import { ChatStore } from '../chat-store.js';
import { AccountClosings } from './account-closings.js';

const SWEEP_EVERY_MS = 1_000;
/** The most items of each kind per sweep; the next sweep finds the rest. */
const FOUND_MAX = 200;
const CONCURRENCY = 8;
/** A payment held for this long without a request comes from a crashed process. */
const HELD_ALONE_MS = 10_000;
/** After this time an unsettled chat was left by a crashed process, and the process manager is behind. */
const UNSETTLED_MS = 5_000;

const BY_PROCESS: By = { actor: 'process' };

/**
 * Keeps the deadlines of chats, from their stored times (rule chats-12): every second, in every process, because
 * deciding twice is deciding once. Also finds what no event leads to: payments held without a request, accounts that are
 * being closed.
 */
@Injectable()
export class ChatSweeper extends Rounds {
  constructor(
    private readonly chats: ChatStore,
    private readonly settlement: ChatSettlement,
    private readonly readModels: ChatReadModels,
    private readonly closings: AccountClosings,
  ) {
    super({ everyMs: SWEEP_EVERY_MS }, 'sweeping the chats');
  }

  protected override async round(signal: AbortSignal): Promise<void> {
    const now = this.chats.now();
    const queries = this.readModels.chats;
    const [overdue, held, unsettled, karma, closing] = await Promise.all([
      queries.overdue(new Date(now), FOUND_MAX),
      queries.heldWithoutChat(new Date(now - HELD_ALONE_MS), FOUND_MAX),
      queries.unsettled(FOUND_MAX, new Date(now - UNSETTLED_MS)),
      this.readModels.memberChats.karmaDue(FOUND_MAX),
      this.closings.due(FOUND_MAX),
    ]);
    const work = [
      ...overdue.map((chatId) => () => this.enforce(chatId)),
      ...held.map((chat) => () => this.abandon(chat)),
      ...unsettled.map((chatId) => () => this.settlement.settleChat(chatId, undefined)),
      ...karma.map((due) => () => this.settlement.mintKarma(due.userId, due.completedChats, undefined)),
      ...closing.map((account) => () => this.closings.goOn(account)),
    ];
    await Promise.all(Array.from({ length: CONCURRENCY }, () => this.workOff(work, signal)));
  }

  private async workOff(work: (() => Promise<unknown>)[], signal: AbortSignal): Promise<void> {
    for (let next = work.shift(); next && !signal.aborted; next = work.shift()) {
      try {
        await next();
      } catch (error) {
        this.logger.warn({ err: error }, 'a chat could not be swept; the next round retries');
      }
    }
  }

  private async enforce(chatId: string): Promise<void> {
    const { record } = await this.chats.execute(chatId, { type: 'EnforceDeadlines' }, BY_PROCESS);
    await this.settlement.settle(record);
  }

  private async abandon(held: {
    readonly chatId: string;
    readonly initiatorId: string;
    readonly hostId: string;
  }): Promise<void> {
    const { chatId, initiatorId, hostId } = held;
    const command = { type: 'AbandonRequest', chatId, initiatorId, hostId } as const;
    const { record } = await this.chats.execute(chatId, command, BY_PROCESS);
    await this.settlement.settle(record);
  }
}
