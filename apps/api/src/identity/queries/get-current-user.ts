import { BalanceQueries } from '@app/projections';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DataSource, IsNull } from 'typeorm';
import { unauthenticated } from '../../platform/errors/app-error.js';
import { type CurrentUserDto, toCurrentUser } from '../current-user.dto.js';
import { Account } from '../entities.js';

/** S0 §7, `decisions.md` Identity: the signed-in member with their balances. */
export class GetCurrentUser extends Query<CurrentUserDto> {
  constructor(readonly accountId: string) {
    super();
  }
}

@QueryHandler(GetCurrentUser)
export class GetCurrentUserHandler implements IQueryHandler<GetCurrentUser> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly balances: BalanceQueries,
  ) {}

  /** @throws AppError 401 the account was closed meanwhile */
  async execute({ accountId }: GetCurrentUser): Promise<CurrentUserDto> {
    const [account, balance] = await Promise.all([
      this.dataSource.getRepository(Account).findOneBy({ id: accountId, closedAt: IsNull() }),
      this.balances.member(accountId),
    ]);
    if (!account) throw unauthenticated();
    return toCurrentUser(account, balance);
  }
}
