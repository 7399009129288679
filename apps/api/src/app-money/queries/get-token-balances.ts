import { groupedLookups } from '@app/event-store';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { NO_STANDING, standingKey } from '@app/projections';
import { MemberDirectory } from '../../identity/member-directory.js';
import type { AccessToken } from '../../oauth/access-tokens.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
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
  private readonly standing = groupedLookups((keys) => this.readModels.applications.standings(keys));

  constructor(
    private readonly readModels: ReadModels,
    private readonly directory: MemberDirectory,
  ) {}

  async execute({ by }: GetTokenBalances): Promise<TokenBalancesDto> {
    const { memberId, clientId, scopes, dailyLimit } = by;
    const standing = await this.standing(standingKey(memberId, clientId));
    const { nova, purchased, karma, influence, spentToday } = standing ?? NO_STANDING;
    return {
      userId: memberId,
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
        influence: { points: Number(influence), rating: (await this.directory.get(memberId))?.rating ?? 0 },
      }),
    };
  }
}
