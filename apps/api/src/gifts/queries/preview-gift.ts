import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Ledger } from '@app/ledger';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { toMinor, toNova } from '../../wallet/nova-amount.js';
import type { GiftDraftDto } from '../commands/send-gift.js';
import { expectGift, GiftRecipients, toGiftParty } from '../gift-recipients.js';
import type { GiftPreviewDto } from '../gifts.dto.js';

export class PreviewGift extends Query<GiftPreviewDto> {
  constructor(
    readonly senderId: string,
    readonly draft: GiftDraftDto,
  ) {
    super();
  }
}

/** What `send` would do now, decided by the same rules on the same state, and nothing written (rule gifts-5). */
@QueryHandler(PreviewGift)
export class PreviewGiftHandler implements IQueryHandler<PreviewGift> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly recipients: GiftRecipients,
  ) {}

  /** @throws AppError the refusals of `send` */
  async execute({ senderId, draft }: PreviewGift): Promise<GiftPreviewDto> {
    const recipient = await this.recipients.find(draft.recipientId, senderId);
    const amount = toMinor(draft.amount);
    const outcome = await this.ledger.execute({
      command: { type: 'SendGift', senderId, recipientId: recipient.id, amount },
      actor: `member:${senderId}`,
      dryRun: true,
    });
    const { events, balances, balancesBefore } = expectGift(outcome);
    const gift = events.map(({ event }) => event).find((event) => event.type === 'GiftSent');
    const before = balancesBefore?.get(senderId);
    const after = balances?.get(senderId);
    if (!gift || before === undefined || after === undefined)
      throw new Error('a dry run of a gift came without its event or balance');
    return {
      amount: toNova(amount),
      recipientShare: toNova(gift.recipientShare),
      influenceShare: toNova(gift.influenceShare),
      influenceGoesTo: gift.entries.some(([account]) => account === 'pool:influence') ? 'holders' : 'treasury',
      comesBack: toNova(after + amount - before),
      balanceBefore: toNova(before),
      balanceAfter: toNova(after),
      recipient: toGiftParty(recipient),
    };
  }
}
