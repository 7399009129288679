import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CARD_NAVIGATE_PRICE } from '@app/domain';
import { Allow } from 'class-validator';
import { type Call, calledBy } from '../../platform/current-call.js';
import { toNova } from '../../wallet/nova-amount.js';
import { CardPayments } from '../card-payments.js';
import type { NavigatedDto } from '../discovery.dto.js';
import { ProfileIdDto } from './upvote-card.js';

/** `POST /api/profile/navigate`. */
export class NavigateDto extends ProfileIdDto {
  /** What the client takes it to cost: never trusted. */
  @Allow()
  novaCost?: number;
}

export class NavigateCard extends Command<NavigatedDto> {
  constructor(
    readonly memberId: string,
    readonly profileId: string,
    readonly call: Call,
  ) {
    super();
  }
}

/** Each step to another face of a card's back costs 50 Nova (rule discovery-12). */
@CommandHandler(NavigateCard)
export class NavigateCardHandler implements ICommandHandler<NavigateCard> {
  constructor(private readonly payments: CardPayments) {}

  /** @throws AppError 400 one's own card or too little Nova, 403 frozen, 404, 409 `CARD_LOCKED` or blocked, 422 key reused, 503 busy */
  async execute({ memberId, profileId, call }: NavigateCard): Promise<NavigatedDto> {
    const ownerId = await this.payments.owner(memberId, profileId);
    await this.payments.expectUnlocked(memberId, ownerId);
    const paid = await this.payments.pay({
      kind: 'navigate',
      senderId: memberId,
      ownerId,
      subjectId: ownerId,
      amount: CARD_NAVIGATE_PRICE,
      insufficient: 'You need 50 Nova to navigate this profile.',
      ...calledBy(call, `member:${memberId}:cards.navigate`),
    });
    return {
      message: 'You can see more of this profile.',
      novaDeducted: toNova(CARD_NAVIGATE_PRICE),
      novaBalance: await this.payments.balanceAfter(memberId, paid),
    };
  }
}
