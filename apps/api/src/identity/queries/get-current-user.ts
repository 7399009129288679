import { BalanceQueries, FollowQueries, RatingQueries } from '@app/projections';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { DataSource, IsNull } from 'typeorm';
import { InjectPool } from '../../platform/database/database.module.js';
import { FreshProofs } from '../../platform/auth/fresh-proofs.js';
import { unauthenticated } from '../../platform/errors/app-error.js';
import { type CurrentUserDto, toCurrentUser } from '../current-user.dto.js';
import { Account } from '../entities.js';
import { FirstAdmin } from '../first-admin.js';

/** The signed-in member with their balances (rule accounts-4). */
export class GetCurrentUser extends Query<CurrentUserDto> {
  constructor(readonly accountId: string) {
    super();
  }
}

@QueryHandler(GetCurrentUser)
export class GetCurrentUserHandler implements IQueryHandler<GetCurrentUser> {
  private readonly ratings: RatingQueries;
  private readonly follows: FollowQueries;

  constructor(
    private readonly dataSource: DataSource,
    private readonly balances: BalanceQueries,
    private readonly firstAdmin: FirstAdmin,
    private readonly proofs: FreshProofs,
    @InjectPool() pool: Pool,
  ) {
    this.ratings = new RatingQueries(pool);
    this.follows = new FollowQueries(pool);
  }

  /** @throws AppError 401 the account was closed meanwhile */
  async execute({ accountId }: GetCurrentUser): Promise<CurrentUserDto> {
    const [account, balance, rating, { following }] = await Promise.all([
      this.dataSource.getRepository(Account).findOneBy({ id: accountId, closedAt: IsNull() }),
      this.balances.member(accountId),
      this.ratings.member(accountId),
      this.follows.counts(accountId),
    ]);
    if (!account) throw unauthenticated();
    const needsPasskey = account.isAdmin && (await this.proofs.isPasskeyMissing(accountId));
    return toCurrentUser(account, {
      balance,
      rating,
      following,
      awaitsAdminWord: this.firstAdmin.awaitsWord(account),
      needsPasskey,
    });
  }
}
