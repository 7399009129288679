import { Inject, Injectable, Logger } from '@nestjs/common';
import { type ChatDuty, chatDuties, type RejectionCode } from '@app/domain';
import type { CommandOutcome, Ledger, Origin } from '@app/ledger';
import { LEDGER } from '../platform/ledger/injected-ledger.js';
import { type ChatRecord, ChatStore } from './chat-store.js';

/** Duties known to be done, so that a handler and the process manager need not ask the ledger for what the other did. */
const DONE_MAX = 50_000;

/** Nothing to move, or no recipient: not a failure. */
const NOTHING_TO_DO: ReadonlySet<RejectionCode> = new Set([
  'CHAT_NOT_HELD',
  'REWARD_NOT_PENDING',
  'ACCOUNT_CLOSED',
  'RECIPIENT_CLOSED',
]);

export interface Settled {
  /** The last ledger revision of this chat's movements, −1 when nothing had to move. */
  readonly revision: number;
}

/**
 * Moves the money that a chat's present state requires. The chat decides its end, once. Every command here has a key
 * made from facts, so it may be repeated and run concurrently (rule ledger-33).
 */
@Injectable()
export class ChatSettlement {
  private readonly logger = new Logger(ChatSettlement.name);
  /** By key: the ledger revision that did it. */
  private readonly done = new Map<string, number>();

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly chats: ChatStore,
  ) {}

  /**
   * @param ledBy where it comes from: the chat's last event, unless another is at hand
   * @throws LedgerBusy LedgerOutcomeUnknown
   */
  async settle({ chatId, state, last }: ChatRecord, ledBy = last): Promise<Settled> {
    let revision = -1;
    for (const duty of state ? chatDuties(state) : []) {
      revision = Math.max(revision, this.done.get(duty.key) ?? (await this.settleDuty(duty, chatId, ledBy)));
    }
    return { revision };
  }

  /** @returns the ledger revision, −1 where there was nothing to move: that may change, so it is not remembered */
  private async settleDuty(duty: ChatDuty, chatId: string, ledBy: Origin | undefined): Promise<number> {
    const outcome = await this.execute(duty, `chat:${chatId}`, ledBy);
    if (outcome.status !== 'accepted') return -1;
    if (this.done.size >= DONE_MAX) this.done.clear();
    this.done.set(duty.key, outcome.revision);
    return outcome.revision;
  }

  /** As `settle`, on the newest state. */
  async settleChat(chatId: string, ledBy: Origin | undefined): Promise<Settled> {
    const record = await this.chats.current(chatId);
    return record.state ? this.settle(record, ledBy) : this.releaseRewards(chatId, ledBy);
  }

  /** Of a chat of which the ledger alone knows, since it was restored: nobody can rate it any more. */
  private async releaseRewards(chatId: string, ledBy: Origin | undefined): Promise<Settled> {
    for (const side of ['host', 'initiator'] as const) {
      const command = { type: 'ReleaseChatReward', chatId, side } as const;
      await this.execute({ key: `chat:${chatId}:release:${side}`, command }, `chat:${chatId}`, ledBy);
    }
    return { revision: -1 };
  }

  /** For answers: what fails now is finished by the process manager within moments. */
  async settleOrLeave(record: ChatRecord): Promise<Settled> {
    try {
      return await this.settle(record);
    } catch (error) {
      this.logger.warn({ err: error }, `chat ${record.chatId} is left to the process manager`);
      return { revision: -1 };
    }
  }

  /** Executes one command with a key made from facts. @throws Error the ledger refused a required command */
  async execute({ command, key }: ChatDuty, cause: string, ledBy: Origin | undefined): Promise<CommandOutcome> {
    const outcome = await this.ledger.execute({
      command,
      actor: 'process',
      cause,
      ...ledBy,
      key: { scope: 'fact', value: key },
    });
    if (outcome.status === 'accepted') return outcome;
    if (outcome.status === 'key-reused') throw new Error(`${key} was used for another command`);
    const { code } = outcome.rejection;
    if (NOTHING_TO_DO.has(code)) return outcome;
    throw new Error(`the ledger refused ${key}: ${code}`);
  }

  /** One Karma for every fifth completed chat (rule chats-27). */
  async mintKarma(userId: string, completedChats: number, ledBy: Origin | undefined): Promise<void> {
    const command = { type: 'MintKarma', userId, completedChats } as const;
    await this.execute({ key: `karma:${userId}:${completedChats}`, command }, 'chats', ledBy);
  }
}
