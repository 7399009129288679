import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { AppError } from '../../platform/errors/app-error.js';
import { ChatAccess } from '../chat-access.js';
import { ChatPayouts } from '../chat-payouts.js';
import type { PayoutSummaryDto } from '../chats.dto.js';

export class GetPayout extends Query<PayoutSummaryDto> {
  constructor(
    readonly chatId: string,
    readonly memberId: string,
  ) {
    super();
  }
}

/** `GET /api/chats/{id}/payout`: the summary that rating answered with, as things stand now. */
@QueryHandler(GetPayout)
export class GetPayoutHandler implements IQueryHandler<GetPayout> {
  constructor(
    private readonly access: ChatAccess,
    private readonly payouts: ChatPayouts,
  ) {}

  /** @throws AppError 404, 409 `CHAT_NOT_ENDED` */
  async execute({ chatId, memberId }: GetPayout): Promise<PayoutSummaryDto> {
    const { chat } = await this.access.current(chatId, memberId);
    if (chat.state.status === 'requested' || chat.state.status === 'active') {
      throw new AppError(409, 'CHAT_NOT_ENDED', 'The payout is available once the chat has ended.');
    }
    return this.payouts.summary(chat, memberId);
  }
}
