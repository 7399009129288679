import type { LedgerEvent, MemberBalance } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { PoolBook, poolShareTable, poolTable } from '../pools/pool-book.js';
import type { Posting } from '../runner/postings.js';
import { DeltaTable } from '../tables/delta-table.js';
import { runInOrder, writeTables } from '../tables/statements.js';
import { bigint, type ColumnType, looseText, numeric, Table, tablesOf, text } from '../tables/table.js';

/** A member's balances, with `held`, the sum of their open chat payments. In minor units, as all here. */
const memberBalance = new Table('member_balance', {
  columns: {
    userId: text,
    purchased: bigint,
    earned: bigint,
    pending: bigint,
    karma: bigint,
    influence: bigint,
    seyvn: bigint,
    held: bigint,
  } satisfies Record<MemberBalance | 'userId' | 'held', ColumnType>,
  key: ['userId'],
  fillfactor: 70,
});

const accountBalance = new Table('account_balance', {
  columns: { account: text, currency: looseText, balance: numeric },
  key: ['account'],
  fillfactor: 50,
});

const pool = poolTable('pool');
const poolShare = poolShareTable('pool_share', { pool_share_pool: '(pool) where shares > 0' });

/**
 * Every account's balance, in minor units: a member's in the columns of one row (with `held`, the sum of their open chat
 * payments), all others by name. What pools owe follows from `pool` and `pool_share`. The accounts of ended chats are empty
 * for good and have no row.
 */
export const balances: ReadModel = {
  name: 'balances',
  version: 1,
  streamPrefixes: ['ledger'],
  ...tablesOf(memberBalance, accountBalance, pool, poolShare),
  createApplier: (options) => new BalancesApplier(options),
};

class BalancesApplier implements ReadModelApplier {
  private readonly members = new DeltaTable(memberBalance);
  private readonly accounts = new DeltaTable(accountBalance);
  private readonly pools: PoolBook;
  private endedChats: string[] = [];

  constructor(options: ApplierOptions) {
    this.pools = new PoolBook(pool, poolShare, options);
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
      this.members.add(account.member.userId, account.member.balance, delta);
      return;
    }
    this.accounts.add(account.name, 'balance', delta, [account.name, currency]);
  }

  private hold(event: LedgerEvent): void {
    if (event.type === 'ChatPaymentHeld') this.members.add(event.initiatorId, 'held', event.amount);
    if (event.type === 'ChatPaymentRefunded') this.endChat(event.chatId, event.initiatorId, event.amount);
    if (event.type === 'ChatPaymentSettled') {
      this.endChat(event.chatId, event.initiatorId, event.paid + event.refunded);
    }
  }

  private endChat(chatId: string, initiatorId: string, amount: bigint): void {
    this.members.add(initiatorId, 'held', -amount);
    this.endedChats.push(`chat:${chatId}`);
  }
}
