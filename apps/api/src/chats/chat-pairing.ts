import { Injectable } from '@nestjs/common';
import { type ChatState, REQUEST_COOLDOWN_MS } from '@app/domain';
import { AppError } from '../platform/errors/app-error.js';
import type { By } from '../platform/journal/stream-metadata.js';
import { type ChatParties, ChatPairs, type NewestChat } from './chat-pairs.js';
import { ChatSettlement } from './chat-settlement.js';
import { type ChatRecord, ChatStore } from './chat-store.js';

/** The most attempts when requests of the same two members collide. */
const RACES_MAX = 5;
const BY_PROCESS: By = { actor: 'process' };

/** Allows one open chat between two members, and enforces the cooldown (rules chats-5, chats-8). */
@Injectable()
export class ChatPairing {
  constructor(
    private readonly pairs: ChatPairs,
    private readonly chats: ChatStore,
    private readonly settlement: ChatSettlement,
  ) {}

  /**
   * Makes this the newest chat of the two. Whoever gets it goes on to the hold.
   * @throws AppError 409 `CHAT_ALREADY_OPEN` or `COOLDOWN`
   */
  async claim(chatId: string, parties: ChatParties): Promise<void> {
    for (let race = 0; race < RACES_MAX; race++) {
      const newest = await this.pairs.newest(parties);
      if (newest && newest.chatId !== chatId) await this.refuseUnlessOver(newest);
      if (await this.pairs.take(parties, { from: newest?.chatId, to: chatId })) return;
    }
    throw new AppError(503, 'BUSY', 'Too many requests between the two of you at once. Please try again.', {
      retryAfterSeconds: 1,
    });
  }

  /** The request was refused: the next one is free to be made, unless another attempt at this one is under way. */
  async giveBack(chatId: string, parties: ChatParties): Promise<void> {
    await this.pairs.giveBack(parties, chatId);
  }

  private async refuseUnlessOver(newest: NewestChat): Promise<void> {
    const record = await this.brought(newest);
    const { state } = record;
    if (!state || isOpen(state)) throw alreadyOpen(newest.chatId);
    if (state.abandoned || (state.status !== 'declined' && state.status !== 'expired')) return;
    const cooldownUntil = state.at + REQUEST_COOLDOWN_MS;
    if (this.chats.now() < cooldownUntil) throw coolingDown(cooldownUntil);
  }

  /**
   * The newest chat as it stands, its deadlines enforced. One whose request was never made, though it must have been by now,
   * is ended before it begins: should its maker wake up after all, there is no way on for them.
   */
  private async brought({ chatId, initiatorId, hostId, stale }: NewestChat): Promise<ChatRecord> {
    const record = await this.chats.current(chatId);
    if (!record.state) {
      if (!stale) return record;
      const abandoned = await this.chats.execute(
        chatId,
        { type: 'AbandonRequest', chatId, initiatorId, hostId },
        BY_PROCESS,
      );
      await this.settlement.settleOrLeave(abandoned.record);
      return abandoned.record;
    }
    if (!isOpen(record.state)) return record;
    const enforced = await this.chats.execute(chatId, { type: 'EnforceDeadlines' }, BY_PROCESS);
    if (!('rejection' in enforced) && enforced.events.length > 0) await this.settlement.settleOrLeave(enforced.record);
    return enforced.record;
  }
}

const isOpen = ({ status, abandoned }: ChatState): boolean =>
  !abandoned && (status === 'requested' || status === 'active');

const alreadyOpen = (chatId: string): AppError =>
  new AppError(409, 'CHAT_ALREADY_OPEN', 'You already have an open chat or request with this member.', {
    extra: { chatId },
  });

function coolingDown(untilMs: number): AppError {
  const until = new Date(untilMs).toISOString();
  return new AppError(409, 'COOLDOWN', 'Please wait a minute before you ask this member again.', {
    extra: { cooldownUntil: until },
  });
}
