import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { AMOUNT_MAX, Money } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { IsInt, Max, Min } from 'class-validator';
import { type Call, calledBy } from '../../platform/current-call.js';
import { eventOf, expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { IsNovaAmount, NovaWithin, toMinor, toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { BurnedTokensDto } from '../status.dto.js';

const TOKENS_MAX = 1_000_000_000;
const WHOLE = (name: string) => ({
  message: `The number of ${name} tokens must be a whole number from 0 on.`,
  context: { code: 'INVALID_AMOUNT' },
});

/** `POST /api/status/burn-tokens` (rule status-3). */
export class BurnTokensDto {
  @ApiPropertyOptional({ minimum: 0, default: 100, multipleOf: 0.01, description: 'Earned Nova.' })
  @NovaWithin({ min: 0n, max: AMOUNT_MAX }, 'The amount of earned Nova must be 0 or more.')
  @IsNovaAmount()
  earnedNovaAmount: number = 100;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, default: 0 })
  @Max(TOKENS_MAX, WHOLE('Karma'))
  @Min(0, WHOLE('Karma'))
  @IsInt(WHOLE('Karma'))
  karmaAmount: number = 0;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, default: 0 })
  @Max(TOKENS_MAX, WHOLE('Influence'))
  @Min(0, WHOLE('Influence'))
  @IsInt(WHOLE('Influence'))
  influenceAmount: number = 0;
}

export class BurnTokens extends Command<BurnedTokensDto> {
  constructor(
    readonly memberId: string,
    readonly amounts: BurnTokensDto,
    readonly call: Call,
  ) {
    super();
  }
}

/** Destroys tokens and credits their value in Seyvn (rules status-2, status-3). */
@CommandHandler(BurnTokens)
export class BurnTokensHandler implements ICommandHandler<BurnTokens> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws AppError 400 nothing to burn, or more than the balance; 403 frozen; 422 key reused; 503 busy */
  async execute({ memberId, amounts, call }: BurnTokens): Promise<BurnedTokensDto> {
    const outcome = await this.ledger.execute({
      command: {
        type: 'BurnTokens',
        userId: memberId,
        earnedNova: toMinor(amounts.earnedNovaAmount),
        karma: BigInt(amounts.karmaAmount),
        influence: BigInt(amounts.influenceAmount),
      },
      actor: `member:${memberId}`,
      ...calledBy(call, `member:${memberId}:status.burn-tokens`),
    });
    const accepted = expectAccepted(outcome);
    await this.readModels.caughtUp(accepted.revision);
    const { seyvn } = eventOf(accepted, 'TokensBurned').event;
    const balances = await this.readModels.balances.member(memberId);
    return {
      message: `Burned for ${Money.ofMinor(seyvn).toString()} Seyvn.`,
      seyvnCredited: toNova(seyvn),
      seyvnBalance: toNova(balances.seyvn),
      novaBalance: toNova(balances.nova),
    };
  }
}
