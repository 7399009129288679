import { type LedgerEvent, rowRulesOf } from '@app/domain';
import type { RecordedEvent } from '@app/event-store';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { PoolBook, poolTablesDdl } from '../pools/pool-book.js';
import { AppendTable } from '../tables/append-table.js';
import { CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { runInOrder, writeTables, type WritableTable } from '../tables/statements.js';
import { movements, type Movement } from './movements.js';

/** Of a member's rows, in minor units. */
interface MemberSums {
  readonly balance: bigint;
  readonly earnedFromOthers: bigint;
}

const NO_SUMS: MemberSums = { balance: 0n, earnedFromOthers: 0n };

/**
 * Every change of a member's Nova with its running balance, and the history of pools and shares from which any past balance
 * follows (rule ledger-11).
 *
 * `statement_second` maps journal seconds to revisions: times never fall as revisions rise, so that a range of dates is a
 * range of revisions and no row needs an index on its time.
 */
export const statement: ReadModel = {
  name: 'statement',
  version: 3,
  streamPrefixes: ['ledger'],
  tables: [
    'statement_row',
    'statement_member',
    'statement_count',
    'statement_second',
    'statement_chat',
    'statement_pool',
    'statement_share',
    'statement_pool_history',
    'statement_share_history',
  ],
  ddl: `
    create table statement_row (
      revision bigint not null,
      idx smallint not null,
      user_id text collate "C" not null,
      type text collate "C" not null,
      amount bigint not null,
      balance bigint not null,
      counterparty_id text collate "C",
      subject text collate "C",
      client_id text collate "C",
      shortfall bigint not null,
      event_id uuid not null,
      created_at timestamptz not null
    );
    create table statement_member (
      user_id text collate "C" primary key,
      balance bigint not null,
      earned_from_others bigint not null
    ) with (fillfactor = 70);
    create table statement_count (
      type text collate "C" primary key,
      rows bigint not null
    ) with (fillfactor = 20);
    create table statement_second (
      second bigint primary key,
      revision bigint not null
    );
    create table statement_chat (
      chat_id text collate "C" primary key,
      initiator_id text collate "C" not null,
      host_id text collate "C" not null
    );
    ${poolTablesDdl('statement_pool', 'statement_share')}
    create table statement_pool_history (
      pool text collate "C" not null,
      revision bigint not null,
      created_at timestamptz not null,
      accumulator numeric not null
    );
    create table statement_share_history (
      user_id text collate "C" not null,
      pool text collate "C" not null,
      revision bigint not null,
      created_at timestamptz not null,
      shares bigint not null,
      settled_at numeric not null,
      fraction numeric not null
    );
  `,
  indexes: `
    alter table statement_row add primary key (revision, idx);
    create index statement_row_user on statement_row (user_id, revision, idx);
    create index statement_row_type on statement_row (type, revision, idx);
    alter table statement_pool_history add primary key (pool, revision);
    alter table statement_share_history add primary key (user_id, pool, revision);
  `,
  createApplier: (options) => new StatementApplier(options),
};

class StatementApplier implements ReadModelApplier {
  private readonly rows = new AppendTable('statement_row', [
    ['revision', 'bigint'],
    ['idx', 'smallint'],
    ['user_id', 'text'],
    ['type', 'text'],
    ['amount', 'bigint'],
    ['balance', 'bigint'],
    ['counterparty_id', 'text'],
    ['subject', 'text'],
    ['client_id', 'text'],
    ['shortfall', 'bigint'],
    ['event_id', 'uuid'],
    ['created_at', 'timestamptz'],
  ]);
  private readonly counts = new DeltaTable({
    table: 'statement_count',
    key: [['type', 'text']],
    sums: [['rows', 'bigint']],
  });
  private readonly poolHistory = new AppendTable('statement_pool_history', [
    ['pool', 'text'],
    ['revision', 'bigint'],
    ['created_at', 'timestamptz'],
    ['accumulator', 'numeric'],
  ]);
  private readonly shareHistory = new AppendTable('statement_share_history', [
    ['user_id', 'text'],
    ['pool', 'text'],
    ['revision', 'bigint'],
    ['created_at', 'timestamptz'],
    ['shares', 'bigint'],
    ['settled_at', 'numeric'],
    ['fraction', 'numeric'],
  ]);
  private readonly members: CachedTable<MemberSums>;
  private readonly seconds: CachedTable<number>;
  private readonly chats: CachedTable<{ readonly initiatorId: string; readonly hostId: string }>;
  private readonly pools: PoolBook;
  private readonly allTables: readonly WritableTable[];

  constructor(options: ApplierOptions) {
    this.pools = new PoolBook('statement_pool', 'statement_share', options);
    this.members = new CachedTable<MemberSums>({
      table: 'statement_member',
      key: [['user_id', 'text']],
      values: [
        ['balance', 'bigint'],
        ['earned_from_others', 'bigint'],
      ],
      read: ([balance = '', earnedFromOthers = '']) => ({
        balance: BigInt(balance),
        earnedFromOthers: BigInt(earnedFromOthers),
      }),
      cells: ({ balance, earnedFromOthers }) => [balance, earnedFromOthers],
      ...options,
    });
    this.seconds = new CachedTable<number>({
      table: 'statement_second',
      key: [['second', 'bigint']],
      values: [['revision', 'bigint']],
      read: ([revision = '']) => Number(revision),
      cells: (revision) => [revision],
      ...options,
    });
    this.chats = new CachedTable({
      table: 'statement_chat',
      key: [['chat_id', 'text']],
      values: [
        ['initiator_id', 'text'],
        ['host_id', 'text'],
      ],
      read: ([initiatorId = '', hostId = '']) => ({ initiatorId, hostId }),
      cells: ({ initiatorId, hostId }) => [initiatorId, hostId],
      ...options,
    });
    const { rows, members, counts, seconds, chats, pools, poolHistory, shareHistory } = this;
    this.allTables = [rows, members, counts, seconds, chats, pools, poolHistory, shareHistory];
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    await this.load(client, events);
    for (const event of events) if (event.ledger) this.applyOne(event, event.ledger);
    await writeTables(client, this.allTables, 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, this.allTables, 'all');
  }

  private async load(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    await this.pools.load(client, events);
    if (this.members.isComplete && this.chats.isComplete) return;
    const members = new Set<string>();
    const chats = new Set<string>();
    for (const { ledger, postings } of events) {
      if (ledger?.type === 'ChatRewardReleased') chats.add(ledger.chatId);
      for (const { account } of postings) if (account.member) members.add(account.member.userId);
    }
    await runInOrder(client, [(to) => this.members.load(to, members), (to) => this.chats.load(to, chats)]);
  }

  private applyOne(projected: ProjectedEvent, event: LedgerEvent): void {
    const { recorded, postings, time } = projected;
    const { revision } = recorded;
    this.seconds.set(String(Math.floor(event.at / 1_000)), revision);
    if (event.type === 'ChatPaymentSettled') {
      this.chats.set(event.chatId, { initiatorId: event.initiatorId, hostId: event.hostId });
    }
    for (const [index, movement] of movements(event, postings, (chatId) => this.chats.get(chatId)).entries()) {
      this.addRow(movement, index, recorded, time);
    }
    const { pools, holders } = this.pools.apply(projected);
    for (const pool of pools) this.poolHistory.add([pool, revision, time, this.pools.pool(pool).accumulator]);
    for (const key of holders) {
      const [userId = '', pool = ''] = key.split(KEY_SEPARATOR);
      const holder = this.pools.holderByKey(key);
      if (holder) {
        const { shares, settledAt, fraction } = holder;
        this.shareHistory.add([userId, pool, revision, time, shares, settledAt, fraction]);
      }
    }
  }

  private addRow(movement: Movement, index: number, recorded: RecordedEvent, time: string): void {
    const { userId, type, amount, counterpartyId, subject, clientId, shortfall } = movement;
    const before = this.members.get(userId) ?? NO_SUMS;
    const balance = before.balance + amount;
    const earned = rowRulesOf(type).earnedFromOthers ? amount : 0n;
    this.members.set(userId, { balance, earnedFromOthers: before.earnedFromOthers + earned });
    this.counts.add(type, 0, 1n);
    const { revision, id } = recorded;
    const about = [counterpartyId, subject, clientId, shortfall];
    this.rows.add([revision, index, userId, type, amount, balance, ...about, id, time]);
  }
}
