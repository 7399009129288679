import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isolated, novaText } from '@app/domain';
import { expectGift } from '../../gifts/gift-recipients.js';
import type { AccessToken } from '../../oauth/access-tokens.js';
import type { Call } from '../../platform/current-call.js';
import { eventOf } from '../../platform/errors/rejections.js';
import { toMinor, toNova } from '../../wallet/nova-amount.js';
import { ApplicationMoneys } from '../application-moneys.js';
import { MovementAnswers } from '../movement-answers.js';
import { NotedMovements } from '../noted-movements.js';
import type { TokensTransferredDto, TokenTransferDto } from '../app-money.dto.js';

export class TransferTokens extends Command<TokensTransferredDto> {
  constructor(
    readonly by: AccessToken,
    readonly body: TokenTransferDto,
    readonly asked: Call,
  ) {
    super();
  }
}

/**
 * Sends a gift from the member, with a gift's split and limits, and within the application's daily limit (rules apps-4,
 * apps-5).
 */
@CommandHandler(TransferTokens)
export class TransferTokensHandler implements ICommandHandler<TransferTokens> {
  constructor(
    private readonly moneys: ApplicationMoneys,
    private readonly movements: NotedMovements,
    private readonly answers: MovementAnswers,
  ) {}

  /** @throws AppError the refusals of a gift, 403 `DAILY_LIMIT` */
  async execute({ by, body, asked }: TransferTokens): Promise<TokensTransferredDto> {
    const { memberId: senderId, clientId, ownerId, dailyLimit } = by;
    const money = await this.moneys.of(clientId);
    const recipient = await money.recipient(body.recipientId, senderId);
    const amount = toMinor(body.amount);
    const via = { clientId, ownerId, dailyLimit };
    const accepted = await this.movements.move(
      {
        by,
        money,
        command: { type: 'SendGift', senderId, recipientId: recipient.id, amount, via },
        call: 'transfer',
        description: body.description ?? undefined,
        asked,
      },
      expectGift,
    );
    const { id, event } = eventOf(accepted, 'GiftSent');
    const standing = await this.answers.standing(by, accepted, money);
    return {
      message: `Sent ${novaText(amount)} to ${isolated(recipient.displayName)}.`,
      transactionId: id,
      amount: body.amount,
      ...standing,
      leftToday: await this.answers.leftToday(by, accepted, money),
      gift: {
        recipientId: recipient.id,
        recipientShare: toNova(event.recipientShare),
        influenceShare: toNova(event.influenceShare),
      },
    };
  }
}
