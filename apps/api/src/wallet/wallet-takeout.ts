import { Injectable } from '@nestjs/common';
import { Money } from '@app/domain';
import { AccountTakeout } from '../platform/account-takeout.js';
import { ReadModels } from './read-models.js';
import { Transactions } from './transactions.js';

const decimal = (minor: bigint): string => Money.ofMinor(minor).toDecimal();

/** The whole statement, and what one has, for the member's takeout. */
@Injectable()
export class WalletTakeout {
  constructor(
    private readonly readModels: ReadModels,
    private readonly transactions: Transactions,
    takeout: AccountTakeout,
  ) {
    takeout.register({ path: 'wallet/statement', members: ['counterpartyId'], rows: (id) => this.statement(id) });
    takeout.register({ path: 'wallet/balance', members: [], rows: (id) => this.balance(id) });
  }

  private async *statement(userId: string) {
    for await (const rows of this.readModels.statement.stream(userId, { first: 0, last: Number.MAX_SAFE_INTEGER })) {
      const texts = await this.transactions.describe(rows);
      yield rows.map((row, index) => ({
        id: row.id,
        eventId: row.eventId,
        createdAt: row.createdAt,
        type: row.type,
        description: texts[index]?.withNames,
        counterpartyId: row.counterpartyId,
        amount: decimal(row.amount),
        balance: decimal(row.balance),
        shortfall: decimal(row.shortfall),
      }));
    }
  }

  private async *balance(userId: string) {
    const { purchased, earned, owed, nova, pending, held, karma, influence, seyvn } =
      await this.readModels.balances.member(userId);
    yield [
      {
        nova: decimal(nova),
        purchased: decimal(purchased),
        earned: decimal(earned),
        owed: decimal(owed),
        pending: decimal(pending),
        held: decimal(held),
        karma: Money.ofMinor(karma, 'KARMA').toDecimal(),
        influence: Money.ofMinor(influence, 'INFLUENCE').toDecimal(),
        seyvn: Money.ofMinor(seyvn, 'SEYVN').toDecimal(),
      },
    ];
  }
}
