import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  CHAT_RATING_MAX,
  CHAT_RATING_MIN,
  type ChatCommand,
  decideChatCommand,
  EXPLANATION_CHARACTERS_MAX,
  EXPLANATION_CHARACTERS_MIN,
  LOW_RATING_MAX,
  REVIEW_CHARACTERS_MAX,
  REVIEW_CHARACTERS_MIN,
} from '@app/domain';
import { IsBoolean, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { MemberRelations } from '../../members/member-relations.js';
import { MemberText } from '../../platform/text.js';
import { ChatAccess, otherMember } from '../chat-access.js';
import { type ChatCaller, ChatCommands } from '../chat-commands.js';
import { ChatPayouts } from '../chat-payouts.js';
import { chatRejectionError } from '../chat-rejections.js';
import { ChatReviews } from '../chat-reviews.js';
import { ChatStore } from '../chat-store.js';
import type { PayoutSummaryDto } from '../chats.dto.js';

const RATING = {
  message: `The rating must be a whole number from ${CHAT_RATING_MIN} to ${CHAT_RATING_MAX}.`,
  context: { code: 'INVALID_RATING' },
};

/** `POST /api/chats/{id}/rate` (S1 §3 Rating submission, §5). */
export class RateChatDto {
  @ApiProperty({ type: 'integer', minimum: CHAT_RATING_MIN, maximum: CHAT_RATING_MAX })
  @Max(CHAT_RATING_MAX, RATING)
  @Min(CHAT_RATING_MIN, RATING)
  @IsInt(RATING)
  rating: number;

  @ApiProperty({ minLength: REVIEW_CHARACTERS_MIN, maxLength: REVIEW_CHARACTERS_MAX })
  @MemberText(
    { min: REVIEW_CHARACTERS_MIN, max: REVIEW_CHARACTERS_MAX },
    {
      message: `Your review must be between ${REVIEW_CHARACTERS_MIN} and ${REVIEW_CHARACTERS_MAX} characters.`,
      context: { code: 'INVALID_REVIEW' },
    },
  )
  comment: string;

  @ApiPropertyOptional({ default: false, description: 'Follow the other member.' })
  @IsBoolean({ message: 'The field follow must be true or false.' })
  @ValidateIf((_, value: unknown) => value !== undefined)
  follow?: boolean;

  @ApiPropertyOptional({
    minLength: EXPLANATION_CHARACTERS_MIN,
    maxLength: EXPLANATION_CHARACTERS_MAX,
    description: `Required with a rating of ${LOW_RATING_MAX} or below.`,
  })
  @MemberText(
    { min: EXPLANATION_CHARACTERS_MIN, max: EXPLANATION_CHARACTERS_MAX },
    {
      message: `Your explanation must be between ${EXPLANATION_CHARACTERS_MIN} and ${EXPLANATION_CHARACTERS_MAX} characters.`,
      context: { code: 'INVALID_EXPLANATION' },
    },
  )
  @ValidateIf(({ rating, explanation }: RateChatDto) => rating <= LOW_RATING_MAX || isGiven(explanation))
  explanation?: string;
}

/** Above the threshold a form may send its field empty. */
const isGiven = (explanation: unknown): boolean =>
  explanation !== undefined && explanation !== null && explanation !== '';

export interface ChatRating {
  /** 1 to 100. */
  readonly rating: number;
  readonly comment: string | null;
  readonly explanation: string | null;
  readonly follow: boolean;
}

/** The chat screen's rating, and the dashboard's, which has neither explanation nor follow (S0 §5: 1 to 10, stored × 10). */
export class RateChat extends Command<PayoutSummaryDto> {
  constructor(
    readonly chatId: string,
    readonly rating: ChatRating,
    readonly caller: ChatCaller,
  ) {
    super();
  }
}

/** One side's rating, which releases that side's reward; the second one completes the chat (`decisions.md`, Chats). */
@CommandHandler(RateChat)
export class RateChatHandler implements ICommandHandler<RateChat> {
  constructor(
    private readonly access: ChatAccess,
    private readonly chats: ChatStore,
    private readonly commands: ChatCommands,
    private readonly reviews: ChatReviews,
    private readonly relations: MemberRelations,
    private readonly payouts: ChatPayouts,
  ) {}

  /** @throws AppError 400, 404, 409 `ALREADY_RATED`, `RATING_CLOSED`, `CHAT_NOT_SUCCESSFUL` */
  async execute({
    chatId,
    rating: { rating, comment, explanation, follow },
    caller,
  }: RateChat): Promise<PayoutSummaryDto> {
    const { memberId } = caller;
    const command: ChatCommand = { type: 'RateChat', memberId, rating, follow };
    await this.refuseInVain(chatId, command, memberId);
    const review = { chatId, raterId: memberId, comment, explanation };
    await this.reviews.write(review);
    const chat = await this.commands.run(chatId, command, caller);
    await this.reviews.keep(review);
    const ratedId = otherMember(chat, memberId);
    if (follow) await this.relations.followAfterRating({ raterId: memberId, ratedId, at: chat.state.at });
    return this.payouts.summary(chat, memberId);
  }

  /** A rating that the chat refuses leaves no words. */
  private async refuseInVain(chatId: string, command: ChatCommand, memberId: string): Promise<void> {
    const { chat } = await this.access.current(chatId, memberId);
    const nowMs = this.chats.now();
    const decision = decideChatCommand(chat.state, command, nowMs);
    if ('rejection' in decision) throw chatRejectionError(decision.rejection, nowMs);
  }
}
