import { MEMBER_BALANCES, type AccountName, type Currency, type LedgerEvent } from '@app/domain';
import type { Client } from 'pg';
import { PoolBook, poolTablesDdl } from '../pools/pool-book.js';
import type { ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { DeltaTable } from '../tables/delta-table.js';
import { runInOrder } from '../tables/statements.js';

const COLUMNS: ReadonlyMap<string, number> = new Map(MEMBER_BALANCES.map((name, index) => [name, index]));
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
  createApplier: ({ startsEmpty }) => new BalancesApplier(startsEmpty),
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

  constructor(startsEmpty: boolean) {
    this.pools = new PoolBook('pool', 'pool_share', startsEmpty);
  }

  async apply(client: Client, events: readonly ProjectedEvent[]): Promise<void> {
    await this.pools.load(client, events);
    for (const { ledger } of events) {
      if (!ledger) continue;
      for (const [account, currency, delta] of ledger.entries) this.post(account, currency, delta);
      this.hold(ledger);
      this.pools.apply(ledger);
    }
    if (this.members.isFull || this.accounts.isFull || this.pools.isFull) await this.flush(client);
  }

  async flush(client: Client): Promise<void> {
    const ended = this.endedChats;
    this.endedChats = [];
    await runInOrder(client, [
      (c) => this.members.write(c),
      (c) => this.accounts.write(c),
      (c) => this.pools.write(c),
      async (c) => {
        if (ended.length > 0) await c.query('delete from account_balance where account = any($1)', [ended]);
      },
    ]);
  }

  private post(account: AccountName, currency: Currency, delta: bigint): void {
    if (account.startsWith('user:')) {
      const colon = account.lastIndexOf(':');
      const column = COLUMNS.get(account.slice(colon + 1));
      if (column === undefined) throw new Error(`no such account: ${account}`);
      this.members.add(account.slice(5, colon), column, delta);
      return;
    }
    const sums = this.accounts.at(account, [account, currency]);
    sums[0] = (sums[0] ?? 0n) + delta;
  }

  private hold(event: LedgerEvent): void {
    switch (event.type) {
      case 'ChatPaymentHeld':
        this.members.add(event.initiatorId, HELD_COLUMN, event.amount);
        return;
      case 'ChatPaymentRefunded':
        this.endChat(event.chatId, event.initiatorId, event.amount);
        return;
      case 'ChatPaymentSettled':
        this.endChat(event.chatId, event.initiatorId, event.paid + event.refunded);
        return;
      default:
    }
  }

  private endChat(chatId: string, initiatorId: string, amount: bigint): void {
    this.members.add(initiatorId, HELD_COLUMN, -amount);
    this.endedChats.push(`chat:${chatId}`);
  }
}
