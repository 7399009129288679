import {
  BOOKS_STREAM,
  type BooksEvent,
  bucketOf,
  DOLLAR_ACCOUNTS,
  type DollarAccount,
  type Flow,
  FLOWS,
  type Holding,
  type MemberBooks,
  type LedgerEventType,
  type MovementKind,
  post,
  postBooksEvent,
  type Posting,
  type PurchasePrice,
  type Reversal,
  type ValuationState,
} from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { type Cached, CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';
import {
  bigint,
  boolean,
  date,
  integer,
  numeric,
  type RowOf,
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
const codesOf = <T>(list: readonly T[]): ReadonlyMap<T, number> => new Map(list.map((item, code) => [item, code]));
const ACCOUNT_CODES = codesOf(DOLLAR_ACCOUNTS);
const FLOW_CODES = codesOf(FLOWS);

export function accountCode(account: DollarAccount): number {
  const code = ACCOUNT_CODES.get(account);
  if (code === undefined) throw new Error(`no such account: ${account}`);
  return code;
}

/** −1: no flow. */
export const flowCode = (flow: Flow | null): number => (flow === null ? -1 : (FLOW_CODES.get(flow) ?? -1));
const LEDGER = SOURCES.indexOf('ledger');
const BOOKS = SOURCES.indexOf('books');

/** What each account holds now, and what was paid for it. */
const holding = new Table('gl_holding', {
  columns: { account: text, nova: bigint, carry: numeric },
  key: ['account'],
  fillfactor: 70,
});

const purchase = new Table('gl_purchase', {
  columns: { paymentIntentId: text, nova: bigint, cents: bigint, isDemo: boolean, livemode: boolean },
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
    paymentIntentId: text,
    reason: textOf<Reversal['reason']>(),
    isDemo: boolean,
    back: numeric,
    value: numeric,
    purchased: numeric,
    earned: numeric,
    drawn: numeric,
    openNova: bigint,
    open: numeric,
    repaid: numeric,
    repaidCarry: numeric,
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

/** Movements at the provider, each once. */
export const movement = new Table('gl_movement', {
  columns: {
    movementId: text,
    kind: textOf<MovementKind>(),
    currency: text,
    amount: bigint,
    fee: bigint,
    revision: safeInteger,
    postedAt: timestamp,
  },
  key: ['movementId'],
  indexes: { gl_movement_foreign: `(currency, movement_id) where currency <> 'usd'` },
});

/** Closed periods, and the moment until which the provider's movements are known. */
export const booksMark = new Table('gl_mark', {
  columns: { kind: textOf<'closed' | 'read'>(), number: integer, until: timestamp, revision: safeInteger },
  key: ['kind', 'number'],
});

/** What was chosen where the accounting policy leaves a choice. */
export const policy = new Table('gl_policy', {
  columns: { revision: safeInteger, effectiveAt: timestamp, allowancePercent: smallint, reasonId: text },
  key: ['revision'],
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
    type: textOf<LedgerEventType | BooksEvent['type']>(),
    cents: bigint,
    micros: numeric,
  },
  key: ['account', 'at', 'source', 'revision', 'place'],
  isKeyLast: true,
  indexes: {
    gl_posting_at: 'using brin (at) with (pages_per_range = 32, autosummarize = on)',
    gl_posting_subject: "(account, subject) where subject <> ''",
  },
});

type PostingRow = RowOf<typeof posting>;

/** The sums of a UTC day, so that a balance adds up days and less than one day of postings. */
const daySum = new Table('gl_day', {
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
  version: 2,
  streamPrefixes: ['ledger', BOOKS_STREAM],
  isBackground: true,
  ...tablesOf(holding, purchase, member, reversal, total, movement, booksMark, policy, posting, daySum),
  createApplier: (options) => new GeneralLedgerApplier(options),
};

/** Events whose posting depends on what became of their member's account. */
const TOUCHES_MEMBER: ReadonlySet<LedgerEventType> = new Set<LedgerEventType>([
  'PurchaseReversed',
  'PurchaseReinstated',
  'NovaDeducted',
  'MovementReversed',
  'AccountClosing',
  'AccountClosed',
]);

class GeneralLedgerApplier implements ReadModelApplier, ValuationState {
  private readonly holdings: Cached<typeof holding>;
  private readonly purchases: Cached<typeof purchase>;
  private readonly members: Cached<typeof member>;
  private readonly reversals: Cached<typeof reversal>;
  private readonly totals: Cached<typeof total>;
  private readonly movements: Cached<typeof movement>;
  private readonly marks: Cached<typeof booksMark>;
  private readonly policies = new AppendTable(policy);
  private readonly postings = new AppendTable(posting);
  private readonly days = new DeltaTable(daySum);

  constructor(options: ApplierOptions) {
    this.holdings = new CachedTable(holding, options);
    this.purchases = new CachedTable(purchase, options);
    this.members = new CachedTable(member, options);
    this.reversals = new CachedTable(reversal, options);
    this.totals = new CachedTable(total, options);
    this.movements = new CachedTable(movement, options);
    this.marks = new CachedTable(booksMark, options);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    await this.load(client, events);
    for (const event of events) this.take(event);
    await writeTables(client, this.tables, 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, this.tables, 'all');
  }

  private get caches() {
    const { holdings, purchases, members, reversals, totals, movements } = this;
    return [holdings, purchases, members, reversals, totals, movements];
  }

  private get tables() {
    return [...this.caches, this.marks, this.policies, this.postings, this.days];
  }

  private async load(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    // A rebuild begins with empty tables, and has everything in memory.
    if (this.caches.every(({ isComplete }) => isComplete)) return;
    const accounts = new Set<string>();
    const intents = new Set<string>();
    const members = new Set<string>();
    const closed = new Set<string>();
    const reversals = new Set<string>();
    const movements = new Set<string>();
    for (const { ledger, books, postings } of events) {
      if (books?.type === 'ProviderMoved') movements.add(books.movementId);
      if (!ledger) continue;
      for (const { account, currency } of postings) {
        if (currency !== 'NOVA') continue;
        if (account.kind !== 'chat') accounts.add(account.name);
        else for (const bucket of ['purchased', 'earned'] as const) accounts.add(bucketOf(account.name, bucket));
      }
      if (ledger.type === 'NovaPurchased' || ledger.type === 'PurchaseReversed') intents.add(ledger.paymentIntentId);
      if (TOUCHES_MEMBER.has(ledger.type) && 'userId' in ledger) members.add(ledger.userId);
      if ('reversalId' in ledger) reversals.add(ledger.reversalId);
      if ('initiatorId' in ledger) members.add(ledger.initiatorId);
      if (ledger.type === 'AccountClosed') closed.add(ledger.userId);
    }
    if (closed.size > 0) await this.reversals.loadWhere(client, 'open > 0 and user_id = any($1)', [[...closed]]);
    await this.reversals.load(client, reversals);
    await this.holdings.load(client, accounts);
    await this.purchases.load(client, intents);
    await this.members.load(client, members);
    await this.movements.load(client, movements);
    await this.totals.load(client, DOLLAR_ACCOUNTS);
  }

  private take({ ledger, books, recorded: { revision }, time }: ProjectedEvent): void {
    if (ledger) {
      const { type } = ledger;
      for (const [place, line] of post(this, ledger).entries())
        this.add({ source: LEDGER, revision, at: time, type }, place, line);
    }
    if (books) this.takeBooks(books, revision);
  }

  private takeBooks(event: BooksEvent, revision: number): void {
    if (event.type === 'ProviderMoved') {
      const { movementId, kind, currency, amount, fee } = event;
      // A server that was interrupted may record a movement a second time.
      if (this.movements.get(movementId)) return;
      const postedAt = new Date(event.postedAt).toISOString();
      this.movements.set(movementId, { kind, currency, amount: BigInt(amount), fee: BigInt(fee), revision, postedAt });
    }
    if (event.type === 'ProviderRead') this.mark('read', 0, event.until, revision);
    if (event.type === 'BooksPeriodClosed') this.mark('closed', event.number, event.endsAt, revision);
    if (event.type === 'PolicySet') {
      const { effectiveAt, allowancePercent, reasonId } = event;
      this.policies.add({ revision, effectiveAt: new Date(effectiveAt).toISOString(), allowancePercent, reasonId });
    }
    for (const [place, line] of postBooksEvent(event).entries()) {
      const at = new Date(line.postedAt).toISOString();
      this.add({ source: BOOKS, revision, at, type: event.type }, place, line);
    }
  }

  private mark(kind: 'closed' | 'read', number: number, until: number, revision: number): void {
    this.marks.set([kind, number].join(KEY_SEPARATOR), { until: new Date(until).toISOString(), revision });
  }

  private add(event: Pick<PostingRow, 'source' | 'revision' | 'at' | 'type'>, place: number, line: Posting): void {
    const { source, revision, at, type } = event;
    const { subject, cents, micros } = line;
    const [account, flow] = [accountCode(line.account), flowCode(line.flow)];
    this.postings.add({ source, revision, place, account, flow, subject, at, type, cents, micros });
    const day = at.slice(0, 'yyyy-mm-dd'.length);
    const id = `${day} ${source} ${account} ${flow}`;
    const key = [day, source, account, flow];
    this.days.add(id, 'cents', cents, key);
    this.days.add(id, 'micros', micros, key);
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
