import { MEMBER_BALANCES, type LedgerEvent, type MemberBalance } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { PoolBook, poolTablesDdl } from '../pools/pool-book.js';
import type { Posting } from '../runner/postings.js';
import { DeltaTable } from '../tables/delta-table.js';
import { runInOrder, writeTables } from '../tables/statements.js';

const COLUMNS: Readonly<Record<MemberBalance, number>> = {
  purchased: 0,
  earned: 1,
  pending: 2,
  karma: 3,
  influence: 4,
  seyvn: 5,
};
const HELD_COLUMN = MEMBER_BALANCES.length;

/**
 * Every account's balance, in minor units: a member's in the columns of one row (with `held`, the sum of their open chat
 * payments), all others by name. What pools owe follows from `pool` and `pool_share`. The accounts of ended chats are empty
 * for good and have no row.
 */
export const balances: ReadModel = {
  name: 'balances',
  version: 1,
  streamPrefixes: ['ledger'],
  tables: ['member_balance', 'account_balance', 'pool', 'pool_share'],
  ddl: `
    create table member_balance (
      user_id text collate "C" primary key,
      ${MEMBER_BALANCES.map((name) => `${name} bigint not null`).join(', ')},
      held bigint not null
    ) with (fillfactor = 70);
    create table account_balance (
      account text collate "C" primary key,
      currency text not null,
      balance numeric not null
    ) with (fillfactor = 50);
    ${poolTablesDdl('pool', 'pool_share')}
  `,
  indexes: `create index pool_share_pool on pool_share (pool) where shares > 0;`,
  createApplier: (options) => new BalancesApplier(options),
};

class BalancesApplier implements ReadModelApplier {
  private readonly members = new DeltaTable({
    table: 'member_balance',
    key: [['user_id', 'text']],
    sums: [...MEMBER_BALANCES, 'held'].map((name) => [name, 'bigint'] as const),
  });
  private readonly accounts = new DeltaTable({
    table: 'account_balance',
    key: [
      ['account', 'text'],
      ['currency', 'text'],
    ],
    conflict: ['account'],
    sums: [['balance', 'numeric']],
  });
  private readonly pools: PoolBook;
  private endedChats: string[] = [];

  constructor(options: ApplierOptions) {
    this.pools = new PoolBook('pool', 'pool_share', options);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    await this.pools.load(client, events);
    for (const event of events) {
      if (!event.ledger) continue;
      for (const posting of event.postings) this.post(posting);
      this.hold(event.ledger);
      this.pools.apply(event);
    }
    await writeTables(client, [this.members, this.accounts, this.pools], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    const ended = this.endedChats;
    this.endedChats = [];
    await runInOrder(client, [
      (to) => writeTables(to, [this.members, this.accounts, this.pools], 'all'),
      async (to) => {
        if (ended.length > 0) await to.query('delete from account_balance where account = any($1)', [ended]);
      },
    ]);
  }

  private post({ account, currency, delta }: Posting): void {
    if (account.member) {
      this.members.add(account.member.userId, COLUMNS[account.member.balance], delta);
      return;
    }
    this.accounts.add(account.name, 0, delta, [account.name, currency]);
  }

  private hold(event: LedgerEvent): void {
    if (event.type === 'ChatPaymentHeld') this.members.add(event.initiatorId, HELD_COLUMN, event.amount);
    if (event.type === 'ChatPaymentRefunded') this.endChat(event.chatId, event.initiatorId, event.amount);
    if (event.type === 'ChatPaymentSettled') {
      this.endChat(event.chatId, event.initiatorId, event.paid + event.refunded);
    }
  }

  private endChat(chatId: string, initiatorId: string, amount: bigint): void {
    this.members.add(initiatorId, HELD_COLUMN, -amount);
    this.endedChats.push(`chat:${chatId}`);
  }
}
