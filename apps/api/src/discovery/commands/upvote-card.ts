import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CARD_UNLOCK_PRICE, CARD_UPVOTE_PRICE } from '@app/domain';
import { IsUUID } from 'class-validator';
import type { Pool } from 'pg';
import { type Call, calledBy } from '../../platform/current-call.js';
import { InjectPool } from '../../platform/database/database.module.js';
import type { Accepted } from '../../platform/errors/rejections.js';
import { KeyUses } from '../../platform/key-uses/key-uses.js';
import { causeOfKey } from '../../platform/ledger/cause-of-key.js';
import { toNova } from '../../wallet/nova-amount.js';
import { CardPayments } from '../card-payments.js';
import type { UpvotedDto } from '../discovery.dto.js';
import { CardOrder } from '../queries/card-order.js';
import { Cards } from '../queries/cards.js';

/** `POST /api/discovery/upvote`. */
export class ProfileIdDto {
  @IsUUID('all', { message: 'The profileId is not that of a member.', context: { code: 'INVALID_PROFILE' } })
  profileId: string;
}

export class UpvoteCard extends Command<UpvotedDto> {
  constructor(
    readonly memberId: string,
    readonly profileId: string,
    readonly call: Call,
  ) {
    super();
  }
}

interface Upvote {
  readonly kind: 'unlock' | 'upvote';
  readonly paid: Accepted;
}

/** The first upvote of a card unlocks it, once; later ones gift 50 Nova (rule discovery-12). */
@CommandHandler(UpvoteCard)
export class UpvoteCardHandler implements ICommandHandler<UpvoteCard> {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly keys: KeyUses,
    private readonly payments: CardPayments,
    private readonly order: CardOrder,
    private readonly cards: Cards,
  ) {}

  /** @throws AppError 400 one's own card or too little Nova, 403 frozen, 404, 409 blocked, 422 key reused, 503 busy */
  async execute({ memberId, profileId, call }: UpvoteCard): Promise<UpvotedDto> {
    const ownerId = await this.payments.owner(memberId, profileId);
    const before = await this.order.place(ownerId);
    const { kind, paid } = await this.keys.guard(
      { scope: `member:${memberId}:cards.upvote`, key: call.idempotencyKey, body: [ownerId] },
      () => this.upvote(memberId, ownerId, call),
    );
    const novaBalance = await this.payments.balanceAfter(memberId, paid);
    const [positionChanged, [card]] = await Promise.all([
      this.order.place(ownerId).then(({ heat }) => this.order.passed({ viewerId: memberId, ownerId }, before, heat)),
      this.cards.of(memberId, [ownerId]),
    ]);
    return {
      message: kind === 'unlock' ? 'You unlocked this profile.' : 'You gifted 50 Nova.',
      kind,
      novaDeducted: toNova(kind === 'unlock' ? CARD_UNLOCK_PRICE : CARD_UPVOTE_PRICE),
      novaBalance,
      compatibilityScore: card?.compatibilityScore ?? null,
      positionChanged,
    };
  }

  /**
   * Unlocking has a key of the two members, so that two clicks unlock once; whose click it was, the cause tells: the repeat of
   * the one that unlocked is answered as it was, any other is a gift.
   */
  private async upvote(senderId: string, ownerId: string, call: Call): Promise<Upvote> {
    const cause = causeOfKey('upvote', call.idempotencyKey);
    if (!(await this.isUnlockedOtherwise(senderId, ownerId, cause))) {
      const paid = await this.payments.pay({
        kind: 'unlock',
        senderId,
        ownerId,
        subjectId: ownerId,
        amount: CARD_UNLOCK_PRICE,
        key: { scope: 'fact', value: `unlock:${senderId}:${ownerId}` },
        cause,
        correlationId: call.requestId,
      });
      const mine = !paid.repeated || (cause !== undefined && paid.events.some(({ event }) => event.cause === cause));
      if (mine) return { kind: 'unlock', paid };
    }
    const paid = await this.payments.pay({
      kind: 'upvote',
      senderId,
      ownerId,
      subjectId: ownerId,
      amount: CARD_UPVOTE_PRICE,
      ...calledBy(call, `member:${senderId}:cards.upvote`),
    });
    return { kind: 'upvote', paid };
  }

  /** Unlocked, and not by this very call. What is not shown yet, the ledger knows. */
  private async isUnlockedOtherwise(viewerId: string, ownerId: string, cause: string | undefined): Promise<boolean> {
    const { rows } = await this.pool.query<{ cause: string | null }>(
      'select cause from read.card_unlocks where viewer_id = $1 and owner_id = $2',
      [viewerId, ownerId],
    );
    return rows.length > 0 && (cause === undefined || rows.every((row) => row.cause !== cause));
  }
}
