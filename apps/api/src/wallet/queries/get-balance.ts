import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { toNova } from '../nova-amount.js';
import { ReadModels } from '../read-models.js';
import type { BalanceDto } from '../wallet.dto.js';

export class GetBalance extends Query<BalanceDto> {
  constructor(readonly userId: string) {
    super();
  }
}

/** `GET /api/nova/balance` (rule wallet-1). */
@QueryHandler(GetBalance)
export class GetBalanceHandler implements IQueryHandler<GetBalance> {
  constructor(private readonly readModels: ReadModels) {}

  async execute({ userId }: GetBalance): Promise<BalanceDto> {
    const { nova, purchased, earned, owed, pending, held } = await this.readModels.balances.member(userId);
    return {
      novaBalance: toNova(nova),
      purchasedNova: toNova(purchased),
      earnedNova: toNova(earned),
      owedNova: toNova(owed),
      pendingNova: toNova(pending),
      heldNova: toNova(held),
    };
  }
}
