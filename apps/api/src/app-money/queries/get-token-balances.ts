import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { NO_STANDING } from '@app/projections';
import type { AccessToken } from '../../oauth/access-tokens.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ApplicationMoneys } from '../application-moneys.js';
import { leftOf } from '../movement-answers.js';
import type { TokenBalancesDto } from '../app-money.dto.js';

export class GetTokenBalances extends Query<TokenBalancesDto> {
  constructor(readonly by: AccessToken) {
    super();
  }
}

/** `GET /api/oauth/token-balances` (rule apps-6). */
@QueryHandler(GetTokenBalances)
export class GetTokenBalancesHandler implements IQueryHandler<GetTokenBalances> {
  constructor(private readonly moneys: ApplicationMoneys) {}

  async execute({ by }: GetTokenBalances): Promise<TokenBalancesDto> {
    const { memberId, clientId, scopes, dailyLimit } = by;
    const money = await this.moneys.of(clientId);
    const standing = await money.standing(memberId);
    const { nova, purchased, karma, influence, spentToday } = standing ?? NO_STANDING;
    return {
      userId: memberId,
      livemode: money.livemode,
      ...(scopes.has('nova') && {
        nova: {
          balance: toNova(nova),
          purchased: toNova(purchased),
          earned: toNova(nova - purchased),
          dailyLimit: toNova(dailyLimit),
          spentToday: toNova(spentToday),
          leftToday: leftOf(dailyLimit, spentToday),
        },
      }),
      ...(scopes.has('karma') && { karma: { balance: Number(karma) } }),
      ...(scopes.has('influence') && {
        influence: { points: Number(influence), rating: await money.rating(memberId) },
      }),
    };
  }
}
