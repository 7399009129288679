import { Inject } from '@nestjs/common';
import { GIFT_MESSAGES } from '@app/domain';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import type { Ledger } from '@app/ledger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { type Call, calledBy } from '../../platform/current-call.js';
import { eventOf } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { toMinor, toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import { GiftAmount } from '../gift-amount.js';
import { expectGift, GiftRecipients, toGiftParty } from '../gift-recipients.js';
import type { SentGiftDto } from '../gifts.dto.js';

const ID_MAX = 64;

/** `POST /api/gifts/send` and `…/preview` (rule gifts-1). */
export class GiftDraftDto {
  @ApiProperty({ maxLength: ID_MAX, description: 'Who gets half of it.' })
  @MaxLength(ID_MAX, { message: GIFT_MESSAGES.recipient })
  @MinLength(1, { message: GIFT_MESSAGES.recipient, context: { code: 'REQUIRED' } })
  @IsString({ message: GIFT_MESSAGES.recipient, context: { code: 'REQUIRED' } })
  recipientId: string;

  @GiftAmount()
  amount: number;
}

export class SendGift extends Command<SentGiftDto> {
  constructor(
    readonly senderId: string,
    readonly draft: GiftDraftDto,
    readonly call: Call,
  ) {
    super();
  }
}

/** Half to the recipient, half to the holders of Influence (rule gifts-2). */
@CommandHandler(SendGift)
export class SendGiftHandler implements ICommandHandler<SendGift> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly recipients: GiftRecipients,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws AppError 400 amount, balance or oneself, 403 frozen, 404 recipient, 422 key reused, 503 busy */
  async execute({ senderId, draft, call }: SendGift): Promise<SentGiftDto> {
    const recipient = await this.recipients.find(draft.recipientId, senderId);
    const outcome = await this.ledger.execute({
      command: { type: 'SendGift', senderId, recipientId: recipient.id, amount: toMinor(draft.amount) },
      actor: `member:${senderId}`,
      ...calledBy(call, `member:${senderId}:gifts.send`),
    });
    const { events, revision, balances } = expectGift(outcome);
    const { id, event } = eventOf({ events }, 'GiftSent');
    const { projected } = await this.readModels.caughtUp(revision);
    const sender = await this.recipients.sender(senderId);
    return {
      gift: {
        id,
        senderId,
        recipientId: event.recipientId,
        amount: toNova(event.amount),
        recipientShare: toNova(event.recipientShare),
        influenceShare: toNova(event.influenceShare),
        createdAt: new Date(event.at).toISOString(),
        sender: toGiftParty(sender),
        recipient: toGiftParty(recipient),
        isReversed: false,
      },
      novaBalance: toNova(balances?.get(senderId) ?? (await this.readModels.novaBalance(senderId))),
      eventId: id,
      projected,
    };
  }
}
