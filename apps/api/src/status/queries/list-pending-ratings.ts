import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { toNova } from '../../wallet/nova-amount.js';
import type { PendingRatingDto } from '../status.dto.js';
import { PendingRatings } from './pending-ratings.js';

export class ListPendingRatings extends Query<PendingRatingDto[]> {
  constructor(readonly memberId: string) {
    super();
  }
}

@QueryHandler(ListPendingRatings)
export class ListPendingRatingsHandler implements IQueryHandler<ListPendingRatings> {
  constructor(private readonly pendingRatings: PendingRatings) {}

  async execute({ memberId }: ListPendingRatings): Promise<PendingRatingDto[]> {
    const pending = await this.pendingRatings.of(memberId);
    return pending.map(({ chatId, otherUser, price, rateBy }) => ({
      chatId,
      otherUserName: otherUser.displayName,
      otherUserAvatar: otherUser.profileImageUrl,
      chatPrice: toNova(price),
      rateBy: rateBy.toISOString(),
    }));
  }
}
