import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DataSource, IsNull } from 'typeorm';
import { unauthenticated } from '../../platform/errors/app-error.js';
import { type CurrentUserDto, toCurrentUser } from '../current-user.dto.js';
import { Account } from '../entities.js';
import { NOVA_BALANCES, type NovaBalances } from '../nova-balances.js';

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
    @Inject(NOVA_BALANCES) private readonly balances: NovaBalances,
  ) {}

  /** @throws AppError 401 the account was closed meanwhile */
  async execute({ accountId }: GetCurrentUser): Promise<CurrentUserDto> {
    const [account, balance] = await Promise.all([
      this.dataSource.getRepository(Account).findOneBy({ id: accountId, closedAt: IsNull() }),
      this.balances.of(accountId),
    ]);
    if (!account) throw unauthenticated();
    return toCurrentUser(account, balance);
  }
}
