import { type ChatCommand, type ChatState, isolated, REQUEST_COOLDOWN_MS } from '@app/domain';
import { type Ledger, LedgerBusy, type Origin } from '@app/ledger';
import { applyDecorators, Inject, Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsString, MaxLength, MinLength, ValidateIf } from 'class-validator';
import { v7 as uuidv7 } from 'uuid';
import { type DirectoryMember, MemberDirectory } from '../../identity/member-directory.js';
import { derivedId } from '../../platform/derived-id.js';
import { AppError, keyReused } from '../../platform/errors/app-error.js';
import { isUnavailable } from '../../platform/errors/error-body.js';
import { type Accepted, expectAccepted } from '../../platform/errors/rejections.js';
import { outcomeUnknown } from '../../platform/journal/append-until-known.js';
import type { By } from '../../platform/journal/stream-metadata.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { chatPrice, ChatSettingsStore } from '../../profiles/chat-settings.js';
import { IsNovaAmount, toMinor, toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import { present } from '../chat-access.js';
import { ChatBlocks, hostNotFound } from '../chat-blocks.js';
import { ChatPairs, type ChatParties, type NewestChat } from '../chat-pairs.js';
import { ChatReadModels } from '../chat-read-models.js';
import { chatRejectionError } from '../chat-rejections.js';
import { ChatSettlement } from '../chat-settlement.js';
import { type ChatRecord, ChatStore, type PresentChat } from '../chat-store.js';
import { ChatViews } from '../chat-views.js';
import type { InitiatedChatDto } from '../chats.dto.js';

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

/** The id that a request made under a caller's own key always gets, so that its repetition is the same chat. */
const chatIdFor = (initiatorId: string, idempotencyKey: string): string =>
  derivedId(`member:${initiatorId}:chats.initiate`, idempotencyKey);

const ID_MAX = 64;
const HOST_MESSAGE = 'Please select someone to chat with.';

/** What a client knows of a member, in any form: nothing of it is looked at. */
const UnreadProfileData = (): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional({ type: 'object', nullable: true, additionalProperties: true }), Allow());

/** `POST /api/chats/initiate`. Profile data that clients send along is theirs: the server has its own. */
export class InitiateChatDto {
  @ApiProperty({ maxLength: ID_MAX, description: 'Who is asked, and paid.' })
  @MaxLength(ID_MAX, { message: HOST_MESSAGE })
  @MinLength(1, { message: HOST_MESSAGE, context: { code: 'REQUIRED' } })
  @IsString({ message: HOST_MESSAGE, context: { code: 'REQUIRED' } })
  hostId: string;

  @ApiPropertyOptional({ description: 'Nova: the price that the member has seen. Another one answers 409.' })
  @IsNovaAmount()
  @ValidateIf((_, value: unknown) => value !== undefined)
  expectedPrice?: number;

  @UnreadProfileData()
  initiatorProfileData?: unknown;

  @UnreadProfileData()
  hostProfileData?: unknown;
}

export interface InitiateChatOptions {
  readonly memberId: string;
  readonly draft: InitiateChatDto;
  readonly idempotencyKey?: string | undefined;
  readonly requestId: string | undefined;
}

export class InitiateChat extends Command<InitiatedChatDto> {
  constructor(readonly options: InitiateChatOptions) {
    super();
  }
}

interface Hold {
  readonly chatId: string;
  readonly parties: ChatParties;
  readonly amount: bigint;
  readonly requestId: string | undefined;
}

/** Asks a host for a paid chat: the price is held first, then the request is made (rule ledger-33). */
@CommandHandler(InitiateChat)
export class InitiateChatHandler implements ICommandHandler<InitiateChat> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly directory: MemberDirectory,
    private readonly settings: ChatSettingsStore,
    private readonly blocks: ChatBlocks,
    private readonly pairing: ChatPairing,
    private readonly chats: ChatStore,
    private readonly settlement: ChatSettlement,
    private readonly readModels: ReadModels,
    private readonly chatReadModels: ChatReadModels,
    private readonly views: ChatViews,
  ) {}

  /**
   * @throws AppError 400 oneself or too little Nova, 404 host, 409 `PRICE_CHANGED`, `CHAT_ALREADY_OPEN`, `COOLDOWN`,
   * `DIRECT_CHATS_OFF`, `BLOCKED_BY_YOU`, 422 key reused, 503 busy or, once the price is held, `OUTCOME_UNKNOWN`
   */
  async execute({ options }: InitiateChat): Promise<InitiatedChatDto> {
    const { memberId, draft, idempotencyKey, requestId } = options;
    const chatId = idempotencyKey === undefined ? uuidv7() : chatIdFor(memberId, idempotencyKey);
    if (idempotencyKey !== undefined) {
      const earlier = await this.chats.current(chatId);
      if (earlier.state)
        return onceHeld(() => this.answer(expectSame(earlier, draft), undefined, { correlationId: requestId }));
    }
    const host = await this.host(memberId, draft.hostId);
    const parties = { initiatorId: memberId, hostId: host.id };
    const ledBy = { correlationId: requestId };
    const price = await this.price(parties, draft.expectedPrice, ledBy);
    await this.pairing.claim(chatId, parties);
    const held = await this.hold({ chatId, parties, amount: price, requestId });
    return onceHeld(async () => {
      const command: ChatCommand = { type: 'RequestChat', chatId, ...parties, price };
      const outcome = await this.chats.execute(chatId, command, {
        actor: `member:${memberId}`,
        correlationId: requestId,
      });
      if (!('rejection' in outcome)) return this.answer(present(outcome.record), held, ledBy);
      // It was abandoned because this took too long, or its twin made it in the same moment.
      await this.settlement.settleOrLeave(outcome.record);
      if (!outcome.record.state) throw chatRejectionError(outcome.rejection, this.chats.now());
      return this.answer(expectSame(outcome.record, draft), held, ledBy);
    });
  }

  private async host(memberId: string, hostId: string): Promise<DirectoryMember> {
    const host = await this.directory.get(hostId);
    if (!host || host.closed) throw hostNotFound();
    if (host.id === memberId) throw new AppError(400, 'SELF_CHAT', 'You cannot start a paid chat with yourself.');
    return host;
  }

  private async price(parties: ChatParties, expected: number | undefined, ledBy: Origin): Promise<bigint> {
    const [settings] = await Promise.all([this.settings.of(parties.hostId), this.blocks.refuse(parties, ledBy)]);
    if (!settings.allowDirectChats) {
      throw new AppError(409, 'DIRECT_CHATS_OFF', 'This member is not taking chat requests at the moment.');
    }
    const price = chatPrice(settings);
    if (expected === undefined || toMinor(expected) === price) return price;
    const nova = toNova(price).toLocaleString('en');
    throw new AppError(409, 'PRICE_CHANGED', `The price of this chat is now ${nova} Nova.`, {
      extra: { price: toNova(price) },
    });
  }

  private async hold({ chatId, parties, amount, requestId }: Hold): Promise<Accepted> {
    try {
      const outcome = await this.ledger.execute({
        command: { type: 'HoldChatPayment', chatId, ...parties, amount },
        actor: `member:${parties.initiatorId}`,
        cause: `chat:${chatId}`,
        correlationId: requestId,
        key: { scope: 'fact', value: `chat:${chatId}:hold` },
      });
      if (outcome.status === 'refused') await this.pairing.giveBack(chatId, parties);
      return expectAccepted(outcome);
    } catch (error) {
      if (error instanceof LedgerBusy) await this.pairing.giveBack(chatId, parties);
      throw error;
    }
  }

  private async answer(chat: PresentChat, held: Accepted | undefined, ledBy: Origin): Promise<InitiatedChatDto> {
    const { initiatorId, price, acceptBy, status } = chat.state;
    if (status === 'requested') await this.blocks.refuse(chat.state, ledBy);
    await this.chatReadModels.movedUpTo(chat.chatId, held?.revision ?? -1);
    const [view, balance] = await Promise.all([
      this.views.view(chat, 'initiator'),
      held?.balances?.get(initiatorId) ?? this.readModels.novaBalance(initiatorId),
    ]);
    return {
      message: `Your request was sent: ${isolated(view.host.displayName)} has 2 minutes to accept.`,
      chatId: chat.chatId,
      chat: view,
      price: toNova(price),
      novaBalance: toNova(balance),
      acceptBy: new Date(acceptBy).toISOString(),
    };
  }
}

/** What follows the hold: a part that is away now, or busy, no longer means that nothing was done. */
async function onceHeld<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUnavailable(error) ? outcomeUnknown(error) : error;
  }
}

/**
 * The chat that the same key has made before.
 * @throws AppError 422 with somebody else or at another price, 409 it was given up on the way
 */
function expectSame(record: ChatRecord, { hostId, expectedPrice }: InitiateChatDto): PresentChat {
  if (record.state?.hostId !== hostId.toLowerCase()) throw keyReused();
  if (record.state.abandoned) {
    throw new AppError(
      409,
      'REQUEST_ABANDONED',
      'This request took too long and you got your Nova back. Please try again.',
    );
  }
  if (expectedPrice !== undefined && toMinor(expectedPrice) !== record.state.price) throw keyReused();
  return present(record);
}
