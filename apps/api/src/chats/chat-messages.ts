import {
  chatProgress,
  type ChatState,
  countCharacters,
  countNonBlank,
  MESSAGE_CHARACTERS_MAX,
  trimText,
} from '@app/domain';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { OPEN_LEDGER } from '../platform/ledger/injected-ledger.js';
import type { OpenLedger } from '../platform/ledger/open-ledger.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { isPlainText } from '../platform/text.js';
import { ChatAccess, present } from './chat-access.js';
import { chatRejectionError } from './chat-rejections.js';
import { ChatSettlement } from './chat-settlement.js';
import { ChatStore } from './chat-store.js';
import { ChatTexts, type MessageText } from './chat-texts.js';
import type { ExchangeProgressDto, MessageViewDto, SentMessageDto } from './chats.dto.js';

/** The time for decisions on chats: the journal's (rule ledger-30). A separate class, so that tests can move it. */
@Injectable()
export class ChatClock {
  constructor(@Inject(OPEN_LEDGER) private readonly ledger: OpenLedger) {}

  /** Milliseconds since 1970. */
  now(): number {
    return this.ledger.clock.now();
  }
}

/** Any string up to 64, unique per chat and sender (rule realtime-9). */
const CLIENT_MESSAGE_ID_MAX = 64;

export interface MessageDraft {
  readonly memberId: string;
  readonly chatId: string;
  readonly text: unknown;
  readonly clientMessageId?: unknown;
  readonly requestId: string | undefined;
}

/** Sending a message: over HTTP and over sockets alike. The text's row comes first, the event second. */
@Injectable()
export class ChatMessages {
  constructor(
    private readonly access: ChatAccess,
    private readonly chats: ChatStore,
    private readonly clock: ChatClock,
    private readonly texts: ChatTexts,
    private readonly settlement: ChatSettlement,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Sends it once: a repeated `clientMessageId` returns the first message.
   * @throws AppError 400 `INVALID_MESSAGE`, 404 not a side of this chat, 409 the chat takes no messages, 429 too many
   */
  async send({ memberId, chatId, text, clientMessageId, requestId }: MessageDraft): Promise<SentMessageDto> {
    const draft = { text: readText(text), clientMessageId: readClientMessageId(clientMessageId) };
    this.limits.chatMessages.take(memberId);
    await this.access.side(chatId, memberId);
    const createdAt = new Date(this.clock.now());
    const row = await this.texts.write({ chatId, senderId: memberId, createdAt, ...draft });
    const outcome = await this.chats.execute(
      chatId,
      {
        type: 'SendChatMessage',
        memberId,
        messageId: row.id,
        characters: countCharacters(row.text),
        nonBlankCharacters: countNonBlank(row.text),
      },
      { actor: `member:${memberId}`, correlationId: requestId },
    );
    if ('rejection' in outcome) {
      await this.texts.discard(row.id);
      throw chatRejectionError(outcome.rejection, this.chats.now());
    }
    if (outcome.events.some(({ type }) => type === 'ChatSucceeded'))
      await this.settlement.settleOrLeave(outcome.record);
    return { message: toMessageView(row), exchangeProgress: toProgress(present(outcome.record).state) };
  }
}

/** @throws AppError 400 `INVALID_MESSAGE` */
function readText(text: unknown): string {
  const trimmed = typeof text === 'string' ? trimText(text) : '';
  if (trimmed === '') throw new AppError(400, 'INVALID_MESSAGE', 'A message cannot be empty.');
  if (isPlainText(trimmed, { min: 1, max: MESSAGE_CHARACTERS_MAX })) return trimmed;
  throw new AppError(
    400,
    'INVALID_MESSAGE',
    `A message has at most ${MESSAGE_CHARACTERS_MAX.toLocaleString('en')} characters and no control characters.`,
  );
}

/** @throws AppError 400 `INVALID_CLIENT_MESSAGE_ID` */
function readClientMessageId(id: unknown): string | null {
  if (id === undefined || id === null) return null;
  if (isPlainText(id, { min: 1, max: CLIENT_MESSAGE_ID_MAX })) return id;
  throw new AppError(
    400,
    'INVALID_CLIENT_MESSAGE_ID',
    `The clientMessageId must be text of 1 to ${CLIENT_MESSAGE_ID_MAX} characters.`,
  );
}

export const toMessageView = ({
  id,
  chatId,
  senderId,
  text,
  createdAt,
  clientMessageId,
}: MessageText): MessageViewDto => ({
  id,
  chatId,
  senderId,
  text,
  message: text,
  timestamp: createdAt.toISOString(),
  createdAt: createdAt.toISOString(),
  clientMessageId,
});

export const isSuccessful = ({ status }: ChatState): boolean => status === 'successful' || status === 'completed';

export const toProgress = (state: ChatState): ExchangeProgressDto => ({
  exchangeCount: state.counts.exchanges,
  totalCharacters: state.counts.totalCharacters,
  percentage: Math.floor(chatProgress(state.counts) * 100),
  isSuccessful: isSuccessful(state),
});
