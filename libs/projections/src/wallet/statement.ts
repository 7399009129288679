import {
  type ChatParties,
  type LedgerEvent,
  rowRulesOf,
  rulesOf,
  type StatementRowOf,
  type StatementType,
} from '@app/domain';
import type { RecordedEvent } from '@app/event-store';
import { PoolBook, poolShareTable, poolTable } from '../pools/pool-book.js';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import type { Posting } from '../runner/postings.js';
import { AppendTable } from '../tables/append-table.js';
import { type Cached, CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { runInOrder, type WritableTable, writeTables } from '../tables/statements.js';
import {
  bigint,
  idAsBytes,
  integer,
  mostlyZero,
  nullable,
  numeric,
  safeInteger,
  smallint,
  Table,
  tablesOf,
  text,
  textOf,
  timestamp,
  uuid,
} from '../tables/table.js';

/** One change of a member's purchased + earned Nova. */
interface Movement {
  readonly userId: string;
  readonly type: StatementType;
  /** Minor units, signed from the member's side. */
  readonly amount: bigint;
  /** The member on the other side. */
  readonly counterpartyId: string | null;
  /** What it was about: a payment intent, chat, card, comment, post, quest, pool or admin. */
  readonly subject: string | null;
  /** The OAuth application that took part. */
  readonly clientId: string | null;
  /** The amount that should have been taken but was no longer there, in minor units. */
  readonly shortfall: bigint;
}

/**
 * The rows that an event adds to statements: amounts from its entries (so that rows always add up to the balances), the
 * rest from its meaning. A reversal that took less than it reverses has a `shortfall`. Pending and held Nova are not
 * part of the balance: moving them adds a row only if purchased or earned Nova changes.
 */
function movements(event: LedgerEvent, postings: readonly Posting[], partiesOf: ChatParties): Movement[] {
  const rows: Movement[] = [];
  const nets = netByMember(postings);
  // A reversal is shown even if nothing was left to take.
  if (event.type === 'PurchaseReversed' && nets.length === 0) nets.push([event.userId, 0n]);
  for (const [userId, net] of nets) {
    if (net === 0n && event.type !== 'PurchaseReversed') continue;
    for (const row of rowsOf(event, userId, partiesOf)) {
      const { type, amount = net, counterpartyId = null, subject = null, clientId = null, shortfall = 0n } = row;
      if (amount === 0n && shortfall === 0n) continue;
      rows.push({ userId, type, amount, counterpartyId, subject, clientId, shortfall });
    }
  }
  return rows;
}

function rowsOf(event: LedgerEvent, userId: string, partiesOf: ChatParties): readonly StatementRowOf<StatementType>[] {
  const { statementRows } = rulesOf(event);
  if (statementRows) return statementRows(event, userId, partiesOf);
  throw new Error(`${event.type} at ${event.at} moves Nova of ${userId}: this has no place in a statement`);
}

/** The change of purchased + earned of each member, in the order of the entries. */
function netByMember(postings: readonly Posting[]): [userId: string, amount: bigint][] {
  const nets: [string, bigint][] = [];
  for (const { account, delta } of postings) {
    const { member } = account;
    if (member?.balance !== 'purchased' && member?.balance !== 'earned') continue;
    const known = nets.find(([id]) => id === member.userId);
    if (known) known[1] += delta;
    else nets.push([member.userId, delta]);
  }
  return nets;
}

/**
 * Amounts in minor units, as everywhere here. The order of the columns leaves no gaps between them. Indexes that only reading
 * needs leave out what would make their entries larger and finds little more: the place in the event, whose rows are few, and
 * the revision behind the type, since entries with the same key share it.
 */
export const statementRow = new Table('statements_row', {
  columns: {
    createdAt: timestamp,
    /** Signed from the member's side. */
    amount: bigint,
    /** Purchased + earned Nova after this row. */
    balance: bigint,
    revision: integer,
    /** Place among the rows of its event. */
    idx: smallint,
    eventId: uuid,
    userId: idAsBytes,
    counterpartyId: nullable(idAsBytes),
    type: textOf<StatementType>(),
    /** What it was about: a payment intent, chat, card, comment, post, quest, pool or admin. */
    subject: nullable(text),
    clientId: nullable(text),
    /** For a reversal: the amount that was no longer there to take. The whole is this minus `amount`. */
    shortfall: mostlyZero,
  },
  key: ['revision', 'idx'],
  isKeyLast: true,
  indexes: { statements_row_user: '(user_id, revision)', statements_row_type: '(type)' },
});

const statementMember = new Table('statements_member', {
  columns: { userId: text, balance: bigint, earnedFromOthers: bigint },
  key: ['userId'],
  fillfactor: 70,
});

const statementCount = new Table('statements_count', {
  columns: { type: text, rows: bigint },
  key: ['type'],
  fillfactor: 20,
});

const statementSecond = new Table('statements_second', {
  columns: { second: bigint, revision: safeInteger },
  key: ['second'],
});

const statementChat = new Table('statements_chat', {
  columns: { chatId: text, initiatorId: text, hostId: text },
  key: ['chatId'],
});

const pool = poolTable('statements_pool');
const share = poolShareTable('statements_share');

const poolHistory = new Table('statements_pool_history', {
  columns: { pool: text, revision: safeInteger, createdAt: timestamp, accumulator: numeric },
  key: ['pool', 'revision'],
  isKeyLast: true,
});

const shareHistory = new Table('statements_share_history', {
  columns: {
    userId: text,
    pool: text,
    revision: safeInteger,
    createdAt: timestamp,
    shares: bigint,
    settledAt: numeric,
    fraction: numeric,
  },
  key: ['userId', 'pool', 'revision'],
  isKeyLast: true,
});

const NO_SUMS = { balance: 0n, earnedFromOthers: 0n };

/**
 * Every change of a member's Nova with its running balance, and the history of pools and shares that gives any past
 * balance (rule ledger-11).
 *
 * `statements_second` maps journal seconds to revisions: times never fall as revisions rise, so a range of dates is a
 * range of revisions, and rows need no index on their time. Version 1.0.0 has its own as `statement`, in tables of that name.
 */
export const statement: ReadModel = {
  name: 'statements',
  version: 1,
  streamPrefixes: ['ledger'],
  ...tablesOf(
    statementRow,
    statementMember,
    statementCount,
    statementSecond,
    statementChat,
    pool,
    share,
    poolHistory,
    shareHistory,
  ),
  createApplier: (options) => new StatementApplier(options),
};

class StatementApplier implements ReadModelApplier {
  private readonly rows = new AppendTable(statementRow);
  private readonly counts = new DeltaTable(statementCount);
  private readonly poolHistory = new AppendTable(poolHistory);
  private readonly shareHistory = new AppendTable(shareHistory);
  private readonly members: Cached<typeof statementMember>;
  private readonly seconds: Cached<typeof statementSecond>;
  private readonly chats: Cached<typeof statementChat>;
  private readonly pools: PoolBook;
  private readonly allTables: readonly WritableTable[];

  constructor(options: ApplierOptions) {
    this.pools = new PoolBook(pool, share, options);
    this.members = new CachedTable(statementMember, options);
    this.seconds = new CachedTable(statementSecond, options);
    this.chats = new CachedTable(statementChat, options);
    const { rows, members, counts, seconds, chats, pools } = this;
    this.allTables = [rows, members, counts, seconds, chats, pools, this.poolHistory, this.shareHistory];
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
      // It has a row of its own also where nothing moves.
      if (ledger?.type === 'PurchaseReversed') members.add(ledger.userId);
      for (const { account } of postings) if (account.member) members.add(account.member.userId);
    }
    await runInOrder(client, [(to) => this.members.load(to, members), (to) => this.chats.load(to, chats)]);
  }

  private applyOne(projected: ProjectedEvent, event: LedgerEvent): void {
    const { recorded, postings, time } = projected;
    const { revision } = recorded;
    this.seconds.set(String(Math.floor(event.at / 1_000)), { revision });
    if (event.type === 'ChatPaymentSettled') {
      this.chats.set(event.chatId, { initiatorId: event.initiatorId, hostId: event.hostId });
    }
    for (const [index, movement] of movements(event, postings, (chatId) => this.chats.get(chatId)).entries()) {
      this.addRow(movement, index, recorded, time);
    }
    const { pools, holders } = this.pools.apply(projected);
    for (const name of pools) {
      this.poolHistory.add({ pool: name, revision, createdAt: time, accumulator: this.pools.pool(name).accumulator });
    }
    for (const key of holders) {
      const [userId = '', name = ''] = key.split(KEY_SEPARATOR);
      const holder = this.pools.holderByKey(key);
      if (!holder) continue;
      const { shares, settledAt, fraction } = holder;
      this.shareHistory.add({ userId, pool: name, revision, createdAt: time, shares, settledAt, fraction });
    }
  }

  private addRow(movement: Movement, index: number, recorded: RecordedEvent, time: string): void {
    const { userId, type, amount, counterpartyId, subject, clientId, shortfall } = movement;
    const before = this.members.get(userId) ?? NO_SUMS;
    const balance = before.balance + amount;
    const earned = rowRulesOf(type).earnedFromOthers ? amount : 0n;
    this.members.set(userId, { balance, earnedFromOthers: before.earnedFromOthers + earned });
    this.counts.add(type, 'rows', 1n);
    const { revision, id: eventId } = recorded;
    this.rows.add({
      revision,
      idx: index,
      userId,
      type,
      amount,
      balance,
      counterpartyId,
      subject,
      clientId,
      shortfall,
      eventId,
      createdAt: time,
    });
  }
}
