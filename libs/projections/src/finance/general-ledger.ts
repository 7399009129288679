import {
  bucketOf,
  DOLLAR_ACCOUNTS,
  type DollarAccount,
  type Flow,
  FLOWS,
  type Holding,
  type MemberBooks,
  type LedgerEventType,
  post,
  type PurchasePrice,
  type Reversal,
  utcDay,
  type ValuationState,
} from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { type Cached, CachedTable } from '../tables/cached-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';
import {
  bigint,
  boolean,
  date,
  numeric,
  safeInteger,
  smallint,
  Table,
  tablesOf,
  text,
  textOf,
  timestamp,
} from '../tables/table.js';

/** Which half of the books a posting is of: the journal's, or that of the provider's movements and adjustments. */
export const SOURCES = ['ledger', 'books'] as const;
export type Source = (typeof SOURCES)[number];

/** Places in their lists, because every posting carries them. Changing an order needs a new version. */
export const accountCode = (account: DollarAccount): number => DOLLAR_ACCOUNTS.indexOf(account);
/** −1: no flow. */
export const flowCode = (flow: Flow | null): number => (flow === null ? -1 : FLOWS.indexOf(flow));
export const sourceCode = (source: Source): number => SOURCES.indexOf(source);

/** What each account holds now, and what was paid for it. */
const holding = new Table('gl_holding', {
  columns: { account: text, nova: bigint, carry: numeric },
  key: ['account'],
  fillfactor: 70,
});

const purchase = new Table('gl_purchase', {
  columns: { paymentIntentId: text, nova: bigint, cents: bigint, isDemo: boolean },
  key: ['paymentIntentId'],
});

const member = new Table('gl_member', {
  columns: { userId: text, forfeits: boolean, isClosed: boolean, unclaimed: numeric },
  key: ['userId'],
});

const reversal = new Table('gl_reversal', {
  columns: {
    reversalId: text,
    userId: text,
    back: numeric,
    value: numeric,
    purchased: numeric,
    earned: numeric,
    openNova: bigint,
    open: numeric,
  },
  key: ['reversalId'],
  indexes: { gl_reversal_open: '(user_id) where open > 0' },
});

/** The sum of all micro-dollars posted to an account from the journal, by which whole cents are found. */
const total = new Table('gl_total', {
  columns: { account: textOf<DollarAccount>(), micros: numeric },
  key: ['account'],
  fillfactor: 20,
});

export const posting = new Table('gl_posting', {
  columns: {
    source: smallint,
    revision: safeInteger,
    place: smallint,
    account: smallint,
    flow: smallint,
    subject: text,
    /** The posting date, as a moment. */
    at: timestamp,
    type: textOf<LedgerEventType>(),
    cents: bigint,
    micros: numeric,
  },
  key: ['account', 'at', 'source', 'revision', 'place'],
  isKeyLast: true,
  indexes: { gl_posting_revision: 'using brin (revision) with (pages_per_range = 32, autosummarize = on)' },
});

/** The sums of a UTC day, so that a balance adds up days and less than one day of postings. */
export const daySum = new Table('gl_day', {
  columns: { day: date, source: smallint, account: smallint, flow: smallint, cents: bigint, micros: numeric },
  key: ['day', 'source', 'account', 'flow'],
  fillfactor: 70,
});

/**
 * The general ledger in dollars (rule finance-5): what each event of the journal means by the posting rules, and what
 * every account of Nova was paid for.
 */
export const generalLedger: ReadModel = {
  name: 'general_ledger',
  version: 1,
  streamPrefixes: ['ledger'],
  isBackground: true,
  ...tablesOf(holding, purchase, member, reversal, total, posting, daySum),
  createApplier: (options) => new GeneralLedgerApplier(options),
};

/** Events whose posting depends on what became of their member's account. */
const TOUCHES_MEMBER: ReadonlySet<LedgerEventType> = new Set<LedgerEventType>([
  'PurchaseReversed',
  'NovaDeducted',
  'AccountClosing',
  'AccountClosed',
]);

class GeneralLedgerApplier implements ReadModelApplier, ValuationState {
  private readonly holdings: Cached<typeof holding>;
  private readonly purchases: Cached<typeof purchase>;
  private readonly members: Cached<typeof member>;
  private readonly reversals: Cached<typeof reversal>;
  private readonly totals: Cached<typeof total>;
  private readonly postings = new AppendTable(posting);
  private readonly days = new DeltaTable(daySum);

  constructor(options: ApplierOptions) {
    this.holdings = new CachedTable(holding, options);
    this.purchases = new CachedTable(purchase, options);
    this.members = new CachedTable(member, options);
    this.reversals = new CachedTable(reversal, options);
    this.totals = new CachedTable(total, options);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    await this.load(client, events);
    for (const event of events) this.take(event);
    await writeTables(client, this.tables, 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, this.tables, 'all');
  }

  private get tables() {
    const { holdings, purchases, members, reversals, totals, postings, days } = this;
    return [holdings, purchases, members, reversals, totals, postings, days];
  }

  private async load(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const accounts = new Set<string>();
    const intents = new Set<string>();
    const members = new Set<string>();
    const closed = new Set<string>();
    for (const { ledger, postings } of events) {
      if (!ledger) continue;
      for (const { account, currency } of postings) {
        if (currency !== 'NOVA') continue;
        if (account.kind !== 'chat') accounts.add(account.name);
        else for (const bucket of ['purchased', 'earned'] as const) accounts.add(bucketOf(account.name, bucket));
      }
      if (ledger.type === 'NovaPurchased' || ledger.type === 'PurchaseReversed') intents.add(ledger.paymentIntentId);
      if (TOUCHES_MEMBER.has(ledger.type) && 'userId' in ledger) members.add(ledger.userId);
      if ('initiatorId' in ledger) members.add(ledger.initiatorId);
      if (ledger.type === 'AccountClosed') closed.add(ledger.userId);
    }
    if (closed.size > 0) await this.reversals.loadWhere(client, 'open > 0 and user_id = any($1)', [[...closed]]);
    await this.holdings.load(client, accounts);
    await this.purchases.load(client, intents);
    await this.members.load(client, members);
    await this.totals.load(client, DOLLAR_ACCOUNTS);
  }

  private take({ ledger, recorded: { revision }, time }: ProjectedEvent): void {
    if (!ledger) return;
    const postings = post(this, ledger);
    if (postings.length === 0) return;
    const source = sourceCode('ledger');
    const day = utcDay(ledger.at);
    for (const [place, { account, subject, flow, cents, micros }] of postings.entries()) {
      const line = { account: accountCode(account), flow: flowCode(flow) };
      this.postings.add({ source, revision, place, ...line, subject, at: time, type: ledger.type, cents, micros });
      const key = [day, source, line.account, line.flow];
      this.days.addAll(key.join(' '), { cents, micros }, key);
    }
  }

  holding(account: string): Holding | undefined {
    return this.holdings.get(account);
  }

  setHolding(account: string, value: Holding): void {
    if (value.nova === 0n) this.holdings.delete(account);
    else this.holdings.set(account, value);
  }

  purchase(paymentIntentId: string): PurchasePrice | undefined {
    return this.purchases.get(paymentIntentId);
  }

  setPurchase(paymentIntentId: string, price: PurchasePrice): void {
    this.purchases.set(paymentIntentId, price);
  }

  member(userId: string): MemberBooks | undefined {
    return this.members.get(userId);
  }

  setMember(userId: string, books: MemberBooks): void {
    this.members.set(userId, books);
  }

  reversal(reversalId: string): Reversal | undefined {
    return this.reversals.get(reversalId);
  }

  setReversal(reversalId: string, value: Reversal): void {
    this.reversals.set(reversalId, value);
  }

  *openReversals(userId: string): Iterable<readonly [string, Reversal]> {
    for (const [reversalId, value] of this.reversals.entries()) {
      if (value?.userId === userId && value.open > 0n) yield [reversalId, value];
    }
  }

  total(account: DollarAccount): bigint {
    return this.totals.get(account)?.micros ?? 0n;
  }

  setTotal(account: DollarAccount, micros: bigint): void {
    this.totals.set(account, { micros });
  }
}
