import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../../identity/member-directory.js';
import { withCursor } from '../../wallet/cursors.js';
import { toNova } from '../../wallet/nova-amount.js';
import { LaterEvents } from '../../wallet/later-events.js';
import { CursorPageDto } from '../../wallet/paging.dto.js';
import { ReadModels } from '../../wallet/read-models.js';
import { toGiftParty } from '../gift-recipients.js';
import type { GiftHistoryDto, GiftPartyDto } from '../gifts.dto.js';

export class GiftHistoryQueryDto extends CursorPageDto {}

export class GetGiftHistory extends Query<GiftHistoryDto> {
  constructor(
    readonly userId: string,
    readonly page: GiftHistoryQueryDto,
  ) {
    super();
  }
}

/** `GET /api/gifts/history` (rule gifts-6). */
@QueryHandler(GetGiftHistory)
export class GetGiftHistoryHandler implements IQueryHandler<GetGiftHistory> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly directory: MemberDirectory,
    private readonly later: LaterEvents,
  ) {}

  /** @throws AppError 400 `INVALID_CURSOR` */
  async execute({ userId, page: { limit, cursor } }: GetGiftHistory): Promise<GiftHistoryDto> {
    const { gifts } = this.readModels;
    const [page, summary] = await withCursor(() =>
      Promise.all([
        gifts.history({ userId, limit, ...(cursor === undefined ? {} : { cursor }) }),
        gifts.summary(userId),
      ]),
    );
    const [members, reversed] = await Promise.all([
      this.directory.find(page.gifts.flatMap(({ senderId, recipientId }) => [senderId, recipientId])),
      this.later.reversed(page.gifts.map(({ eventId }) => eventId)),
    ]);
    return {
      gifts: page.gifts.map((gift) => ({
        id: gift.eventId,
        senderId: gift.senderId,
        recipientId: gift.recipientId,
        amount: toNova(gift.amount),
        recipientShare: toNova(gift.recipientShare),
        influenceShare: toNova(gift.influenceShare),
        createdAt: gift.createdAt.toISOString(),
        sender: partyOf(members.get(gift.senderId)),
        recipient: partyOf(members.get(gift.recipientId)),
        isReversed: reversed.has(gift.eventId),
      })),
      summary: {
        sentCount: summary.sentCount,
        receivedCount: summary.receivedCount,
        totalSent: toNova(summary.totalSent),
        totalReceived: toNova(summary.totalReceived),
      },
      nextCursor: page.nextCursor,
    };
  }
}

const ERASED: GiftPartyDto = { displayName: DELETED_MEMBER, profileImageUrl: null, averageRating: 0 };

const partyOf = (member: DirectoryMember | undefined): GiftPartyDto => (member ? toGiftParty(member) : ERASED);
