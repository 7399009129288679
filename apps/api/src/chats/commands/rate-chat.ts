import {
  CHAT_RATING_MAX,
  CHAT_RATING_MIN,
  type ChatCommand,
  EXPLANATION_CHARACTERS_MAX,
  EXPLANATION_CHARACTERS_MIN,
  EXPLANATION_MESSAGE,
  LOW_RATING_MAX,
  REVIEW_CHARACTERS_MAX,
  REVIEW_CHARACTERS_MIN,
  REVIEW_MESSAGE,
} from '@app/domain';
import { Injectable, Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min, ValidateIf } from 'class-validator';
import type { Pool } from 'pg';
import { MemberRelations } from '../../members/member-relations.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { KeyUses } from '../../platform/key-uses/key-uses.js';
import { MemberText } from '../../platform/text.js';
import { otherMember } from '../chat-access.js';
import { type ChatCaller, ChatCommands } from '../chat-commands.js';
import { ChatPayouts } from '../chat-payouts.js';
import type { PresentChat } from '../chat-store.js';
import type { PayoutSummaryDto } from '../chats.dto.js';

interface Review {
  readonly chatId: string;
  readonly raterId: string;
  readonly comment: string | null;
  readonly explanation: string | null;
}

/** Reviews that members wrote about each other. The row comes first, ChatRated second. */
@Injectable()
export class ChatReviews {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Of several attempts at rating one chat, the last one's words count, until one is taken. */
  async write({ chatId, raterId, comment, explanation }: Review): Promise<void> {
    await this.pool.query(
      `insert into chat_reviews as r (chat_id, rater_id, comment, explanation) values ($1, $2, $3, $4)
       on conflict (chat_id, rater_id) do update set comment = excluded.comment, explanation = excluded.explanation
       where not r.kept`,
      [chatId, raterId, comment, explanation],
    );
  }

  /** For the attempt that was taken: another one may have written its words meanwhile. */
  async keep({ chatId, raterId, comment, explanation }: Review): Promise<void> {
    await this.pool.query(
      `update chat_reviews set comment = $3, explanation = $4, kept = true where chat_id = $1 and rater_id = $2`,
      [chatId, raterId, comment, explanation],
    );
  }
}

const RATING = {
  message: `The rating must be a whole number from ${CHAT_RATING_MIN} to ${CHAT_RATING_MAX}.`,
  context: { code: 'INVALID_RATING' },
};

/** `POST /api/chats/{id}/rate` (rule ratings-1). */
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
      message: REVIEW_MESSAGE,
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
      message: EXPLANATION_MESSAGE,
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

/** The chat screen's rating, and the dashboard's, which has neither explanation nor follow (rule ratings-3). */
export class RateChat extends Command<PayoutSummaryDto> {
  constructor(
    readonly chatId: string,
    readonly rating: ChatRating,
    readonly caller: ChatCaller,
  ) {
    super();
  }
}

/** One side's rating, which releases that side's reward; the second one completes the chat (rules chats-25, chats-26). */
@CommandHandler(RateChat)
export class RateChatHandler implements ICommandHandler<RateChat> {
  private readonly logger = new Logger(RateChatHandler.name);

  constructor(
    private readonly keys: KeyUses,
    private readonly commands: ChatCommands,
    private readonly reviews: ChatReviews,
    private readonly relations: MemberRelations,
    private readonly payouts: ChatPayouts,
  ) {}

  /** @throws AppError 400, 404, 409 `ALREADY_RATED`, `RATING_CLOSED`, `CHAT_NOT_SUCCESSFUL`, 422 key reused */
  execute({ chatId, rating: given, caller }: RateChat): Promise<PayoutSummaryDto> {
    const { rating, comment, explanation, follow } = given;
    return this.keys.guard(
      {
        scope: `member:${caller.memberId}:chats.rate`,
        key: caller.idempotencyKey,
        body: [chatId, rating, comment, explanation, follow],
      },
      () => this.rate(chatId, given, caller),
    );
  }

  private async rate(
    chatId: string,
    { rating, comment, explanation, follow }: ChatRating,
    caller: ChatCaller,
  ): Promise<PayoutSummaryDto> {
    const { memberId } = caller;
    const command: ChatCommand = { type: 'RateChat', memberId, rating, follow };
    // A rating that the chat refuses leaves no words.
    await this.commands.foresee(chatId, command, caller);
    const review = { chatId, raterId: memberId, comment, explanation };
    await this.reviews.write(review);
    const chat = await this.commands.run(chatId, command, caller);
    await this.reviews.keep(review);
    if (follow && !chat.isRepeated) await this.followOrLeave(chat, caller);
    return this.payouts.summary(chat, memberId);
  }

  /** The rating was taken: a follow that fails now is made by the process manager within moments. */
  private async followOrLeave(chat: PresentChat, { memberId: raterId, requestId }: ChatCaller): Promise<void> {
    try {
      const ratedId = otherMember(chat, raterId);
      await this.relations.followAfterRating({ raterId, ratedId, at: chat.state.at }, { correlationId: requestId });
    } catch (error) {
      this.logger.warn({ err: error }, `the follow by ${raterId} is left to the process manager`);
    }
  }
}
