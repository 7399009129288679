import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { BalanceQueries } from '@app/projections';
import { toNova } from '../../wallet/nova-amount.js';
import type { NovaBreakdownDto } from '../status.dto.js';

const PARTS = [
  ['purchased', 'Purchased'],
  ['earned', 'Earned'],
  ['owed', 'Rewards not yet credited'],
  ['pending', 'Pending until rated'],
  ['held', 'Held for chats'],
] as const;

export class GetNovaBreakdown extends Query<NovaBreakdownDto> {
  constructor(readonly memberId: string) {
    super();
  }
}

@QueryHandler(GetNovaBreakdown)
export class GetNovaBreakdownHandler implements IQueryHandler<GetNovaBreakdown> {
  constructor(private readonly balances: BalanceQueries) {}

  async execute({ memberId }: GetNovaBreakdown): Promise<NovaBreakdownDto> {
    const balances = await this.balances.member(memberId);
    return {
      purchased: toNova(balances.purchased),
      earned: toNova(balances.earned),
      owed: toNova(balances.owed),
      pending: toNova(balances.pending),
      held: toNova(balances.held),
      total: toNova(balances.nova),
      slices: PARTS.map(([key, label]) => ({ key, label, amount: toNova(balances[key]) })),
    };
  }
}
