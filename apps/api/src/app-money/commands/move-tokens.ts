import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type LedgerCommand, novaText } from '@app/domain';
import type { AccessToken } from '../../oauth/access-tokens.js';
import type { Call } from '../../platform/current-call.js';
import { eventOf, expectAccepted } from '../../platform/errors/rejections.js';
import { toMinor } from '../../wallet/nova-amount.js';
import { ApplicationMoneys } from '../application-moneys.js';
import { MovementAnswers } from '../movement-answers.js';
import { NotedMovements } from '../noted-movements.js';
import type { TokenMovementDoneDto, TokenMovementDto, TokensSpentDto } from '../app-money.dto.js';

export class MoveTokens extends Command<TokenMovementDoneDto | TokensSpentDto> {
  constructor(
    readonly call: 'spend' | 'earn',
    readonly by: AccessToken,
    readonly body: TokenMovementDto,
    readonly asked: Call,
  ) {
    super();
  }
}

/**
 * Moves Nova between a member and an application's wallet: `spend` into it, `earn` out of it (rules apps-2, apps-3).
 */
@CommandHandler(MoveTokens)
export class MoveTokensHandler implements ICommandHandler<MoveTokens> {
  constructor(
    private readonly moneys: ApplicationMoneys,
    private readonly movements: NotedMovements,
    private readonly answers: MovementAnswers,
  ) {}

  /** @throws AppError 400 balance, 403 frozen, limit or one's own application, 422 key reused, 503 busy */
  async execute({ call, by, body, asked }: MoveTokens): Promise<TokenMovementDoneDto | TokensSpentDto> {
    const amount = toMinor(body.amount);
    const money = await this.moneys.of(by.clientId);
    const accepted = await this.movements.move(
      {
        by,
        money,
        command: call === 'spend' ? spendCommand(by, amount) : earnCommand(by, amount),
        call,
        description: body.description ?? undefined,
        asked,
      },
      expectAccepted,
    );
    const { id } = eventOf(accepted, call === 'spend' ? 'AppTokensSpent' : 'AppTokensEarned');
    const standing = await this.answers.standing(by, accepted, money);
    const done = { transactionId: id, amount: body.amount, ...standing };
    if (call === 'earn') return { message: `Paid ${novaText(amount)} to the member.`, ...done };
    const leftToday = await this.answers.leftToday(by, accepted, money);
    return { message: `Spent ${novaText(amount)}.`, ...done, leftToday };
  }
}

const spendCommand = ({ memberId, clientId, ownerId, dailyLimit }: AccessToken, amount: bigint): LedgerCommand => ({
  type: 'SpendAppTokens',
  userId: memberId,
  amount,
  via: { clientId, ownerId, dailyLimit },
});

const earnCommand = ({ memberId, clientId }: AccessToken, amount: bigint): LedgerCommand => ({
  type: 'EarnAppTokens',
  clientId,
  userId: memberId,
  amount,
});
