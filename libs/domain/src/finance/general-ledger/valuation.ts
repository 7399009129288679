import { splitByWeights } from '../../money/money.js';
import { MINOR_UNITS } from '../../ledger/currencies.js';
import { NOVA_PER_DOLLAR } from '../../ledger/constants.js';
import type { Entry } from '../../ledger/events.js';
import { invariant } from '../../ledger/invariant.js';
import { smaller } from '../../ledger/postings.js';
import { normalSide, type DollarAccount } from './chart.js';

/** Micro-dollars are millionths of a US dollar: what is carried below a cent. */
export const MICROS_PER_CENT = 10_000n;
/** The list price of a minor unit of Nova: no sale is cheaper. */
export const LIST_PRICE = 1_000_000n / (BigInt(NOVA_PER_DOLLAR) * MINOR_UNITS.NOVA);
/** More than a minor unit of any sale costs: a charge is rounded up by less than a cent for 1,250 Nova or more. */
export const DEAREST_PRICE = LIST_PRICE + 1n;

/** What an account holds: Nova in minor units, and what was paid for it in micro-dollars (its carry). */
export interface Holding {
  readonly nova: bigint;
  readonly carry: bigint;
}

const NOTHING: Holding = { nova: 0n, carry: 0n };

/** A purchase by its payment intent: the price of its Nova. */
export interface PurchasePrice {
  readonly nova: bigint;
  readonly cents: bigint;
  /** Bought without a payment, by a demo. */
  readonly isDemo: boolean;
  /** False: bought with play money. */
  readonly livemode: boolean;
}

/** A purchase that was taken back: what that did, so that it can be repaid, given up or undone. Micro-dollars. */
export interface Reversal {
  readonly userId: string;
  readonly paymentIntentId: string;
  readonly reason: 'refund' | 'dispute';
  readonly isDemo: boolean;
  /** What the provider gave back. */
  readonly back: bigint;
  /** What the member still had: its value at the price of the purchase, and what it carried in each bucket. */
  readonly value: bigint;
  readonly purchased: bigint;
  readonly earned: bigint;
  /** The part that came out of what admins had taken before. */
  readonly drawn: bigint;
  /** What the member still owes: minor units, and their value. */
  readonly openNova: bigint;
  readonly open: bigint;
  /** What the member paid back, and what the Nova for it carried. */
  readonly repaid: bigint;
  readonly repaidCarry: bigint;
}

/** What became of a member's account in the books. */
export interface MemberBooks {
  /** Whether the account closes or is closed by the member's own wish, and so forfeits what it holds. */
  readonly forfeits: boolean;
  readonly isClosed: boolean;
  /** Micro-dollars that admins took of paid Nova: a refund gives these back first. */
  readonly unclaimed: bigint;
}

export const OPEN_ACCOUNT: MemberBooks = { forfeits: false, isClosed: false, unclaimed: 0n };

/** Why deferred revenue changed: the lines of its roll-forward. */
export const FLOWS = ['sold', 'commission', 'burned', 'reversed', 'deducted', 'forfeited'] as const;
export type Flow = (typeof FLOWS)[number];

/** A line of the general ledger. Debits are positive. */
export interface Posting {
  readonly account: DollarAccount;
  /** What it is about: a payment intent, dispute, member or adjustment; empty where an account is not kept by subject. */
  readonly subject: string;
  /** Only for deferred revenue. */
  readonly flow: Flow | null;
  readonly micros: bigint;
  readonly cents: bigint;
}

/** What the general ledger remembers between events. Reads and writes are of the current event's order. */
export interface ValuationState {
  /** By the name of an account; a chat's escrow has two (`bucketOf`). */
  holding(account: string): Holding | undefined;
  setHolding(account: string, holding: Holding): void;
  purchase(paymentIntentId: string): PurchasePrice | undefined;
  setPurchase(paymentIntentId: string, price: PurchasePrice): void;
  member(userId: string): MemberBooks | undefined;
  setMember(userId: string, books: MemberBooks): void;
  reversal(reversalId: string): Reversal | undefined;
  setReversal(reversalId: string, reversal: Reversal): void;
  /** The reversals of which a member still owes a part. */
  openReversals(userId: string): Iterable<readonly [reversalId: string, reversal: Reversal]>;
  /** The sum of all micro-dollars posted to an account; debits are positive. */
  total(account: DollarAccount): bigint;
  setTotal(account: DollarAccount, micros: bigint): void;
}

/** The part of an escrow that was paid from a member's purchased or earned Nova. */
export const bucketOf = (chat: string, bucket: 'purchased' | 'earned'): string => `${chat}:${bucket}`;

const DEFERRED: DollarAccount = 'liabilities:deferred-revenue';

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Divides rounding toward minus infinity. */
export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/**
 * Works out one event: takes carry from accounts, gives it to others, and posts what leaves or enters deferred revenue
 * (rule finance-6). Each account's Nova keeps the moving average of what was paid for it.
 */
export class Valuation {
  private readonly lines: { account: DollarAccount; subject: string; flow: Flow | null; micros: bigint }[] = [];
  /** The change of what all accounts carry, and of deferred revenue: they agree at the end of an event. */
  private moved = 0n;
  private deferred = 0n;

  constructor(readonly state: ValuationState) {}

  holding(account: string): Holding {
    return this.state.holding(account) ?? NOTHING;
  }

  /** Takes Nova at its average. @returns its carry */
  take(account: string, nova: bigint): bigint {
    const held = this.holding(account);
    return this.takeCarry(account, nova, nova === held.nova ? held.carry : (held.carry * nova) / held.nova);
  }

  /**
   * Takes Nova with a carry that a rule wants, as far as the rest keeps a price that Nova can have: at most the dearest
   * sale's, and in purchased Nova at least the list price, because it was all paid for. @returns the carry taken
   */
  takeAs(account: string, nova: bigint, wanted: bigint): bigint {
    const { nova: held, carry } = this.holding(account);
    const rest = held - nova;
    const least = larger(0n, carry - DEAREST_PRICE * rest);
    const most = account.endsWith(':purchased') ? larger(least, carry - LIST_PRICE * rest) : carry;
    return this.takeCarry(account, nova, smaller(larger(wanted, least), most));
  }

  private takeCarry(account: string, nova: bigint, carry: bigint): bigint {
    const held = this.holding(account);
    this.set(account, { nova: held.nova - nova, carry: held.carry - carry });
    this.moved -= carry;
    return carry;
  }

  give(account: string, nova: bigint, carry: bigint): void {
    const held = this.holding(account);
    this.set(account, { nova: held.nova + nova, carry: held.carry + carry });
    this.moved += carry;
  }

  /**
   * Gives carry to accounts in proportion to the Nova that they gain (rule ledger-10). @returns what fell to Nova that
   * reached the treasury, which carries nothing
   */
  spread(carry: bigint, gains: readonly (readonly [account: string, nova: bigint])[]): bigint {
    if (gains.length === 0) {
      invariant(carry === 0n, 'Nova that left an account came to none');
      return 0n;
    }
    const parts = splitByWeights(
      carry,
      gains.map(([, nova]) => nova),
    );
    let released = 0n;
    for (const [index, [account, nova]] of gains.entries()) {
      const part = parts[index] ?? 0n;
      if (account === 'treasury') released += part;
      else this.give(account, nova, part);
    }
    return released;
  }

  /** Carry that ends here becomes income, or another debt. */
  release(flow: Flow, carry: bigint, account: DollarAccount, subject = ''): void {
    this.defer(flow, -carry);
    this.post(account, -carry, subject);
  }

  /** Adds to deferred revenue; below zero takes from it. */
  defer(flow: Flow, carry: bigint): void {
    this.deferred += carry;
    this.push(DEFERRED, -carry, '', flow);
  }

  /** @param micros debits positive */
  post(account: DollarAccount, micros: bigint, subject = ''): void {
    this.push(account, micros, subject, null);
  }

  private push(account: DollarAccount, micros: bigint, subject: string, flow: Flow | null): void {
    if (micros !== 0n) this.lines.push({ account, subject, flow, micros });
  }

  private set(account: string, holding: Holding): void {
    invariant(holding.nova >= 0n && holding.carry >= 0n, () => `${account} would carry less than nothing`);
    invariant(holding.nova > 0n || holding.carry === 0n, () => `${account} would carry dollars without Nova`);
    this.state.setHolding(account, holding);
  }

  /**
   * The event's lines with their whole cents: deferred revenue is its carry rounded up, each other account's balance is
   * rounded down, and the account for rounding takes what that leaves.
   */
  postings(): readonly Posting[] {
    const { lines, moved, deferred } = this;
    const rest = lines.reduce((sum, { micros }) => sum + micros, 0n);
    invariant(rest === 0n, () => `postings leave ${rest} micro-dollars`);
    invariant(moved === deferred, () => `accounts carry ${moved} more, deferred revenue ${deferred}`);
    let left = 0n;
    const postings = lines.map(({ account, subject, flow, micros }): Posting => {
      const before = this.state.total(account);
      const after = before + micros;
      this.state.setTotal(account, after);
      const cents = inCents(account, after) - inCents(account, before);
      left += cents;
      return { account, subject, flow, micros, cents };
    });
    if (left !== 0n) {
      postings.push({ account: 'income:rounding', subject: '', flow: null, micros: 0n, cents: -left });
    }
    return postings;
  }
}

function inCents(account: DollarAccount, micros: bigint): bigint {
  if (account === DEFERRED) return floorDiv(micros, MICROS_PER_CENT);
  const side = normalSide(account);
  return side * floorDiv(side * micros, MICROS_PER_CENT);
}

/** An event's Nova entries that are above zero, in their order. */
export function gainsOf(entries: readonly Entry[]): (readonly [account: string, nova: bigint])[] {
  const gains: (readonly [string, bigint])[] = [];
  for (const [account, currency, delta] of entries) if (currency === 'NOVA' && delta > 0n) gains.push([account, delta]);
  return gains;
}

/** An event's Nova entries that are below zero, as amounts above zero, in their order. */
export function givenBy(entries: readonly Entry[]): (readonly [account: string, nova: bigint])[] {
  const given: (readonly [string, bigint])[] = [];
  for (const [account, currency, delta] of entries)
    if (currency === 'NOVA' && delta < 0n) given.push([account, -delta]);
  return given;
}
