import { ApiProperty } from '@nestjs/swagger';
import { CHAT_STATUSES, type ChatStatus, TERMINATION_CAUSES, type TerminationCause } from '@app/domain';

export type ShownChatSide = 'initiator' | 'host';

/** A member as the other side of a chat sees them. An erased one reads "Deleted member". */
export class ChatPartyDto {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  /** 0.00 to 9.99. */
  rating: number;
}

/** A message. `text` and `message` are the same, `timestamp` and `createdAt` too. */
export class MessageViewDto {
  id: string;
  chatId: string;
  senderId: string;
  text: string;
  message: string;
  timestamp: string;
  createdAt: string;
  clientMessageId: string | null;
}

/** How far a chat is on its way to success (rule chats-14). */
export class ExchangeProgressDto {
  /** @example 3 */
  exchangeCount: number;
  totalCharacters: number;
  /** 0 to 100: of the way to success. */
  percentage: number;
  isSuccessful: boolean;
}

/** A chat, for one of its two sides. */
export class ChatViewDto {
  id: string;
  @ApiProperty({ enum: CHAT_STATUSES, enumName: 'ChatStatus' })
  status: ChatStatus;
  /** Which side the caller is. */
  @ApiProperty({ enum: ['initiator', 'host'], enumName: 'ChatSide' })
  side: ShownChatSide;
  initiatorId: string;
  hostId: string;
  initiator: ChatPartyDto;
  host: ChatPartyDto;
  /** Nova. */
  price: number;
  exchangeCount: number;
  /** Of trimmed text, both sides. */
  totalCharacterCount: number;
  /** The host's that are not blank. */
  validHostCharacterCount: number;
  isSuccessful: boolean;
  percentage: number;
  /** What the initiator gave, 1 to 100. The other side's is shown once one has rated oneself, or the chat is completed. */
  initiatorRating: number | null;
  hostRating: number | null;
  myRating: number | null;
  theirRating: number | null;
  requestedAt: string;
  /** The host accepts by then, or the request expires. */
  acceptBy: string;
  acceptedAt: string | null;
  /** The host's first message comes by then, or the chat ends; null when it came. */
  verifyBy: string | null;
  /** When it was declined, expired, terminated or successful. */
  endedAt: string | null;
  @ApiProperty({ enum: ['initiator', 'host'], nullable: true })
  terminatedBy: ShownChatSide | null;
  /** Whether that side broke the chat off, or is held to have: no first message in time, or no reply for 24 hours. */
  @ApiProperty({ enum: TERMINATION_CAUSES, nullable: true })
  terminationCause: TerminationCause | null;
  /** Rating closes then. */
  rateBy: string | null;
  completedAt: string | null;
  /** Nova that went back to the initiator, once the chat has ended. */
  refunded: number | null;
  /** The caller has read what was said until then, on whichever device; null if nothing. */
  readThrough: string | null;
  /** The newest 200, oldest first. */
  messages: MessageViewDto[];
}

/** `POST /api/chats/initiate`, the answer. */
export class InitiatedChatDto {
  message: string;
  chatId: string;
  chat: ChatViewDto;
  /** Nova, held until the chat ends. */
  price: number;
  /** The initiator's Nova balance after it. */
  novaBalance: number;
  acceptBy: string;
}

/** A request as its host sees it. */
export class ChatRequestDto {
  id: string;
  /** The same as `id`. */
  chatId: string;
  hostId: string;
  initiatorId: string;
  initiator: ChatPartyDto;
  /** Nova. */
  price: number;
  requestedAt: string;
  acceptBy: string;
}

/** `GET /api/chats/pending-requests`: oldest first. */
export class PendingRequestsDto {
  requests: ChatRequestDto[];
}

/** `GET /api/chats/inbound-priority`: by price, then age. */
export class InboundPriorityDto {
  chats: ChatRequestDto[];
  count: number;
}

export class ChatSummaryDto {
  id: string;
  @ApiProperty({ enum: CHAT_STATUSES, enumName: 'ChatStatus' })
  status: ChatStatus;
  @ApiProperty({ enum: ['initiator', 'host'], enumName: 'ChatSide' })
  side: ShownChatSide;
  otherUser: ChatPartyDto;
  /** Nova. */
  price: number;
  percentage: number;
  acceptBy: string;
  verifyBy: string | null;
  lastMessageAt: string | null;
  /** Something was said that the caller has read on no device. */
  isUnread: boolean;
}

/** `GET /api/chats/mine`: requested by the caller, active, or successful and not yet rated by the caller. */
export class MyChatsDto {
  chats: ChatSummaryDto[];
}

export class AcceptedChatDto {
  message: string;
  chatId: string;
  chat: ChatViewDto;
}

export class DeclinedChatDto {
  message: string;
  chatId: string;
  /** Nova that went back to the initiator. */
  refunded: number;
}

export class ExitedChatDto {
  message: string;
  chatId: string;
  /** Nova that went back to the initiator. */
  refunded: number;
  /** Nova that was due for what had been said. */
  paid: number;
}

export class SentMessageDto {
  message: MessageViewDto;
  exchangeProgress: ExchangeProgressDto;
}

/** A member's progress towards the next Karma (rule chats-27). */
export class KarmaTokenProgressDto {
  hasKarmaToken: boolean;
  current: number;
  required: number;
  percentage: number;
}

export class TokenRewardDto {
  tokenCount: number;
  /** A sentence: what these tokens share in. */
  distributionRule: string;
  /** Nova paid and owed so far. */
  amount: number;
}

export class ThreadRewardDto {
  /** Of the thread's pool, 0 to 100. */
  ownershipPercentage: number;
  /** Whose chats feed it. */
  threadSource: string;
  /** Nova paid and owed so far. */
  amount: number;
}

export class PerpetualBenefitsDto {
  hasTokenRewards: boolean;
  hasThreadRewards: boolean;
  totalTokenRewards: number;
  totalThreadRewards: number;
  tokenBreakdown: TokenRewardDto[];
  threadBreakdown: ThreadRewardDto[];
}

/** The payout summary (rule chats-28). Amounts in Nova. */
export class PayoutSummaryDto {
  chatId: string;
  /** What this chat brings the caller; pending until `rewardsReleased`. */
  novaEarned: number;
  isInitiator: boolean;
  influencePointsEarned: number;
  totalInfluencePoints: number;
  currentNovaBalance: number;
  totalEarnedNova: number;
  karmaTokenProgress: KarmaTokenProgressDto;
  perpetualBenefits: PerpetualBenefitsDto;
  /** Nova that became spendable by rating. */
  rewardsReleased: number;
  /** Both have rated, or rating has closed. */
  completed: boolean;
}

/** One of the chats that have paid the caller. */
export class ChatHistoryItemDto {
  chatId: string;
  otherUser: ChatPartyDto;
  completedAt: string;
  /** Nova. */
  novaEarned: number;
  influencePointsEarned: number;
  isInitiator: boolean;
  exchangeCount: number;
  myRating: number | null;
  theirRating: number | null;
  totalCharacters: number;
}

/** What chats paid in a month (UTC) in which any did. */
export class PayoutMonthDto {
  /** `2026-11`. */
  month: string;
  chats: number;
  /** Nova. */
  novaEarned: number;
}

/** `GET /api/chats/completed-history/totals`: of the whole history; months from the oldest on. */
export class PayoutTotalsDto {
  chats: number;
  hostedChats: number;
  /** Nova. */
  novaEarned: number;
  influencePointsEarned: number;
  months: PayoutMonthDto[];
}

/** `GET /api/chats/completed-history`: newest first. */
export class ChatHistoryDto {
  chatHistories: ChatHistoryItemDto[];
  /** Send it back as `cursor` for the next page. */
  nextCursor: string | null;
}
