import { setImmediate as turn } from 'node:timers/promises';
import { dollarText } from '../general-ledger/dollars-text.js';
import {
  accountCurrency,
  accountKind,
  type AccountName,
  accountOwner,
  BOOKS_STREAM,
  type BooksEvent,
  CHART,
  decodeBooksEvent,
  DOLLAR_ACCOUNTS,
  type DollarAccount,
  GeneralLedger,
  LEDGER_STREAM,
  type LedgerEvent,
  MINOR_UNITS,
  Money,
  post,
  postBooksEvent,
  unreadableAt,
} from '@app/domain';
import { type EventStore, upcast } from '@app/event-store';
import { EMPTY_HEAD, type JournalHead, readLedgerEvent } from '@app/ledger';
import { FiscalCalendar } from '../general-ledger/fiscal-calendar.js';
import { type WalkedEvent, walkJournal, type WalkOptions } from '../journal-walk.js';

/** The commodity of the books: sandbox and demo books are in ISO's code for tests, never in dollars. */
export type Commodity = 'USD' | 'XTS';

/** A line in dollars, not zero; debits are positive. */
export interface DollarLine {
  readonly account: DollarAccount;
  /** What it is about, where an account is kept by subject; else empty. */
  readonly subject: string;
  readonly cents: bigint;
}

/** What an account of either half holds. */
export type Balance =
  | { readonly account: AccountName; readonly minor: bigint }
  | { readonly account: DollarAccount; readonly cents: bigint };

interface OnDay {
  /** The posting date, as `2026-11-21`. */
  readonly day: string;
}

/** An event of the journal, with what it posts in dollars. */
export interface LedgerStep extends OnDay {
  readonly kind: 'ledger';
  readonly walked: WalkedEvent;
  readonly lines: readonly DollarLine[];
  /** Accounts of Nova that no earlier step names. */
  readonly opens: readonly AccountName[];
}

/** What an event of stream `books` posts on one day. */
export interface BooksStep extends OnDay {
  readonly kind: 'books';
  readonly event: BooksEvent;
  readonly id: string;
  /** Its number among the transactions of the stream: `B17`, on a later day `B17-2`. */
  readonly number: string;
  readonly lines: readonly DollarLine[];
}

/** The balances just before the period, none of them zero; what was earned before it is retained. */
export interface OpeningStep extends OnDay {
  readonly kind: 'opening';
  readonly opens: readonly AccountName[];
  readonly balances: Iterable<Balance>;
}

/** The balances at the end of the period of all accounts that a step names. */
export interface ClosingStep extends OnDay {
  readonly kind: 'closing';
  readonly head: JournalHead;
  readonly balances: Iterable<Balance>;
}

export type Step = LedgerStep | BooksStep | OpeningStep | ClosingStep;

export interface BooksPeriod extends WalkOptions {
  /** The first moment, after the event `after`: then there are opening balances. Milliseconds since 1970. */
  readonly from?: number | undefined;
  /** The first moment beyond it; by default now. */
  readonly until?: number | undefined;
  /** Whose days are posting dates; by default those of UTC. */
  readonly calendar?: FiscalCalendar | undefined;
}

/** The journal holds real and sandbox purchases: neither commodity would be true. */
export class MixedBooks extends Error {
  override readonly name = 'MixedBooks';
  constructor(where: string) {
    super(`Real and sandbox money are in one journal (${where}): its dollars cannot be exported.`);
  }
}

/** The days of moments that mostly follow each other: a day is looked up once. */
class PostingDates {
  private day = '';
  private from = 0;
  private to = -1;

  constructor(private readonly calendar = new FiscalCalendar('UTC')) {}

  of(atMs: number): string {
    if (atMs < this.from || atMs > this.to) {
      this.day = this.calendar.dayOf(new Date(atMs));
      const { from, to } = this.calendar.days(this.day, this.day);
      [this.from, this.to] = [from.getTime(), to.getTime()];
    }
    return this.day;
  }
}

/** Events that are worked out before others have their turn. */
const TURN_EVENTS = 200;

/**
 * The books of a period in Nova and in dollars (rule finance-9): both halves by posting date, on each date the journal's
 * events first. The journal is read from its start, because what was paid for Nova follows from all of it.
 */
export class DollarBooks {
  private readonly state = new GeneralLedger();
  private readonly nova = new Map<AccountName, bigint>();
  private lastDay = '';

  private constructor(
    private readonly store: EventStore,
    readonly commodity: Commodity,
    private readonly cash: CashHalf,
    private readonly dates: PostingDates,
    private readonly period: BooksPeriod & { readonly until: number },
  ) {}

  static async open(store: EventStore, period: BooksPeriod): Promise<DollarBooks> {
    const bounded = { ...period, until: period.until ?? Date.now() };
    const dates = new PostingDates(period.calendar);
    const cash = await readCashHalf(store, dates, bounded);
    return new DollarBooks(store, cash.commodity ?? (await commodityOfSales(store)), cash, dates, bounded);
  }

  /** The day on which the books begin. */
  get firstDay(): string {
    return this.dates.of(this.period.from ?? 0);
  }

  /**
   * @throws BrokenChain an event is not what its hash says
   * @throws MixedBooks
   */
  async *steps(): AsyncGenerator<Step, void, undefined> {
    const { after, upTo, from, until, onProgress } = this.period;
    const firstRevision = (after?.revision ?? -1) + 1;
    const { entries } = this.cash;
    let head = EMPTY_HEAD;
    let place = 0;
    let isOpened = from === undefined;
    for await (const walked of walkJournal(this.store, { upTo, onProgress })) {
      const { event, recorded } = walked;
      head = walked.head;
      this.requireCommodity(event, `revision ${recorded.revision}`);
      if (!isOpened && recorded.revision >= firstRevision) {
        isOpened = true;
        yield this.opening();
      }
      const step = this.take(walked);
      if (isOpened) {
        for (let next = entries[place]; next && next.day < step.day; next = entries[++place]) yield this.seen(next);
        yield this.seen(step);
      }
      if (recorded.revision % TURN_EVENTS === 0) await turn();
    }
    if (!isOpened) yield this.opening();
    for (let next = entries[place]; next; next = entries[++place]) yield this.seen(next);
    const today = this.dates.of(Math.min(until, Date.now()) - 1);
    const day = today > this.lastDay ? today : this.lastDay;
    const hasAccounts = this.nova.size > 0 || this.cash.balances.size > 0;
    if (hasAccounts) yield { kind: 'closing', day, head, balances: this.balances() };
  }

  private take(walked: WalkedEvent): LedgerStep {
    const { event } = walked;
    const opens: AccountName[] = [];
    for (const [account, , delta] of event.entries) {
      const before = this.nova.get(account);
      if (before === undefined) opens.push(account);
      this.nova.set(account, (before ?? 0n) + delta);
    }
    const lines = post(this.state, event).filter(({ cents }) => cents !== 0n);
    this.add(lines);
    return { kind: 'ledger', day: this.dates.of(event.at), walked, lines, opens };
  }

  private seen<S extends LedgerStep | BooksStep>(step: S): S {
    if (step.kind === 'books') this.add(step.lines);
    this.lastDay = step.day;
    return step;
  }

  private add(lines: readonly DollarLine[]): void {
    for (const { account, cents } of lines) addTo(this.cash.balances, account, cents);
  }

  private opening(): OpeningStep {
    const dollars = this.cash.balances;
    for (const [account, cents] of dollars) {
      if (CHART[account].class !== 'revenue' && CHART[account].class !== 'expense') continue;
      addTo(dollars, 'equity:retained-earnings', cents);
      dollars.delete(account);
    }
    for (const [account, cents] of dollars) if (cents === 0n) dollars.delete(account);
    for (const [account, minor] of this.nova) if (minor === 0n) this.nova.delete(account);
    this.lastDay = this.firstDay;
    return { kind: 'opening', day: this.firstDay, opens: [...this.nova.keys()], balances: this.balances() };
  }

  private *balances(): Iterable<Balance> {
    for (const account of DOLLAR_ACCOUNTS) {
      const cents = this.cash.balances.get(account);
      if (cents !== undefined) yield { account, cents };
    }
    for (const [account, minor] of this.nova) yield { account, minor };
  }

  private requireCommodity(event: LedgerEvent, where: string): void {
    if (event.type === 'NovaPurchased' && commodityOf(event) !== this.commodity) throw new MixedBooks(where);
  }
}

const addTo = (balances: Map<DollarAccount, bigint>, account: DollarAccount, cents: bigint): void => {
  balances.set(account, (balances.get(account) ?? 0n) + cents);
};

/** The half of stream `books`. */
interface CashHalf {
  /** Of the provider's movements; undefined where there is none. */
  readonly commodity: Commodity | undefined;
  /** The balances just before the period. */
  readonly balances: Map<DollarAccount, bigint>;
  /** What is posted in the period, by posting date and revision: in memory, because posting dates do not rise. */
  readonly entries: readonly BooksStep[];
}

async function readCashHalf(
  store: EventStore,
  dates: PostingDates,
  { from = Number.NEGATIVE_INFINITY, until }: BooksPeriod & { readonly until: number },
): Promise<CashHalf> {
  const balances = new Map<DollarAccount, bigint>();
  const entries: (BooksStep & { readonly revision: number })[] = [];
  const movements = new Set<string>();
  let commodity: Commodity | undefined;
  for await (const batch of store.readStream(BOOKS_STREAM)) {
    for (const { isForeign, type, data, revision, id } of batch) {
      if (isForeign) continue;
      const event = read(type, data, revision);
      if (event.type === 'ProviderMoved') {
        // A server that was interrupted may record a movement a second time.
        if (movements.has(event.movementId)) continue;
        movements.add(event.movementId);
        const own = commodityOf(event);
        commodity ??= own;
        if (own !== commodity) throw new MixedBooks(`books, revision ${revision}`);
      }
      const posted = postBooksEvent(event);
      for (const [part, postedAt] of [...new Set(posted.map((line) => line.postedAt))].entries()) {
        const lines = posted.filter((line) => line.postedAt === postedAt);
        const number = part === 0 ? `B${revision}` : `B${revision}-${part + 1}`;
        if (postedAt < from) for (const { account, cents } of lines) addTo(balances, account, cents);
        else if (postedAt < until) {
          entries.push({ kind: 'books', day: dates.of(postedAt), event, id, number, lines, revision });
        }
      }
    }
  }
  const inOrder = entries.toSorted((a, b) => (a.day === b.day ? a.revision - b.revision : compare(a.day, b.day)));
  return { commodity, balances, entries: inOrder };
}

const compare = (a: string, b: string): number => (a < b ? -1 : 1);

function read(type: string, data: string, revision: number): BooksEvent {
  try {
    return decodeBooksEvent(type, upcast(type, data));
  } catch (error) {
    throw unreadableAt(`${BOOKS_STREAM}, revision ${revision}`, error);
  }
}

const commodityOf = (sale: { readonly livemode: boolean; readonly cause?: string }): Commodity =>
  sale.livemode && sale.cause !== 'demo' ? 'USD' : 'XTS';

/** A journal has purchases of one kind only (rule wallet-20): the first tells which. */
async function commodityOfSales(store: EventStore): Promise<Commodity> {
  for await (const batch of store.readStream(LEDGER_STREAM)) {
    const sale = batch.find(({ type, isForeign }) => type === 'NovaPurchased' && !isForeign);
    const event = sale && readLedgerEvent(sale);
    if (event?.type === 'NovaPurchased') return commodityOf(event);
  }
  return 'USD';
}

/** The amount as books of accounts write it, with its commodity. */
export function amountOf(balance: Balance, commodity: Commodity): string {
  if ('cents' in balance) return `${dollarText(balance.cents)} ${commodity}`;
  const currency = accountCurrency(accountKind(balance.account), accountOwner(balance.account));
  return `${Money.ofMinor(balance.minor, currency).toDecimal()} ${currency}`;
}

/** No amount, in the commodity of a balance. */
export const nothingOf = (balance: Balance, commodity: Commodity): string =>
  amountOf('cents' in balance ? { ...balance, cents: 0n } : { ...balance, minor: 0n }, commodity);

/** The charge for the two postings of a purchase, which is their price; undefined for other events. */
export function priceOf(event: LedgerEvent): bigint | undefined {
  const isSale = event.type === 'NovaPurchased' && event.entries.length === 2 && event.chargedCents > 0;
  return isSale ? BigInt(event.chargedCents) : undefined;
}

export const isWhole = (currency: keyof typeof MINOR_UNITS): boolean => MINOR_UNITS[currency] === 1n;
