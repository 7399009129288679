import type { LedgerEvent } from '../../ledger/events.js';
import { rulesOf } from '../../ledger/movements/registry.js';
import type { DollarAccount } from './chart.js';

import {
  Valuation,
  type Holding,
  type MemberBooks,
  type Posting,
  type PurchasePrice,
  type Reversal,
  type ValuationState,
} from './valuation.js';

/**
 * Posts an event, changing the state. @returns its lines, whose cents and micro-dollars each sum to zero; none for an
 * event that only moves what is carried
 */
export function post(state: ValuationState, event: LedgerEvent): readonly Posting[] {
  const books = new Valuation(state);
  rulesOf(event).posts?.(books, event);
  return books.postings();
}

/** The state in memory: of a journal that is read from its start. */
export class GeneralLedger implements ValuationState {
  readonly holdings = new Map<string, Holding>();
  private readonly purchases = new Map<string, PurchasePrice>();
  private readonly members = new Map<string, MemberBooks>();
  private readonly reversals = new Map<string, Reversal>();
  private readonly open = new Map<string, Map<string, Reversal>>();
  private readonly totals = new Map<DollarAccount, bigint>();

  holding(account: string): Holding | undefined {
    return this.holdings.get(account);
  }

  setHolding(account: string, holding: Holding): void {
    if (holding.nova === 0n) this.holdings.delete(account);
    else this.holdings.set(account, holding);
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

  setReversal(reversalId: string, reversal: Reversal): void {
    this.reversals.set(reversalId, reversal);
    const open = this.open.get(reversal.userId);
    if (reversal.open === 0n) open?.delete(reversalId);
    else if (open) open.set(reversalId, reversal);
    else this.open.set(reversal.userId, new Map([[reversalId, reversal]]));
  }

  openReversals(userId: string): Iterable<readonly [string, Reversal]> {
    return [...(this.open.get(userId) ?? [])];
  }

  total(account: DollarAccount): bigint {
    return this.totals.get(account) ?? 0n;
  }

  setTotal(account: DollarAccount, micros: bigint): void {
    this.totals.set(account, micros);
  }
}
