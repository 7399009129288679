import { isAccountId, userAccount, type AccountName, type PoolName } from './accounts.js';
import { AMOUNT_MAX, NOVA_SUPPLY_MAX, POOLS_PER_PAYOUT_MAX } from './constants.js';
import type { AppSpendingContext } from './commands.js';
import type { Entry, FactOf, LedgerFact } from './events.js';
import { Money } from '../money/money.js';
import { owed } from './pools.js';
import { Postings, mixTotal, purchasedFirst, type Mix } from './postings.js';
import type { Rejection } from './rejections.js';
import type { LedgerState } from './state.js';

/** The Nova that a command may take from a member: the events that must come first and the mix, or the refusal. */
type Funds = { readonly before: readonly LedgerFact[]; readonly mix: Mix } | { readonly rejection: Rejection };

export const refuse = (rejection: Rejection): { readonly rejection: Rejection } => ({ rejection });

/** Amounts are whole minor units above zero that a JSON number holds exactly. */
export function amountRejection(amount: bigint): Rejection | undefined {
  if (amount <= 0n) return { code: 'INVALID_AMOUNT', message: 'The amount must be greater than 0.' };
  if (amount <= AMOUNT_MAX) return undefined;
  return { code: 'INVALID_AMOUNT', message: 'The amount is too large.', available: AMOUNT_MAX };
}

/**
 * Refuses incoming Nova if all Nova together would no longer fit a balance. Everything inside, burned Nova included,
 * came from outside, so no other command can push a balance beyond that.
 */
export function supplyRejection(state: LedgerState, amount: bigint): Rejection | undefined {
  const outside =
    state.platformBalance('external:stripe') +
    state.platformBalance('external:chargebacks') +
    state.platformBalance('issuance:NOVA');
  if (amount - outside <= NOVA_SUPPLY_MAX) return undefined;
  return { code: 'INVALID_AMOUNT', message: 'The amount is more than the ledger can hold.' };
}

/** A member who is closing or closed takes no part in new commands. */
export function closedRejection(state: LedgerState, userId: string): Rejection | undefined {
  if (!state.closure(userId)) return undefined;
  return { code: 'ACCOUNT_CLOSED', message: 'This account is closed.' };
}

export function recipientRejection(state: LedgerState, userId: string): Rejection | undefined {
  if (!state.closure(userId)) return undefined;
  return { code: 'RECIPIENT_CLOSED', message: 'This member has closed their account.' };
}

export function frozenRejection(state: LedgerState, userId: string): Rejection | undefined {
  if (!state.isFrozen(userId)) return undefined;
  return {
    code: 'SPENDING_FROZEN',
    message: 'Spending is paused while a payment dispute on this account is open.',
  };
}

export const insufficient = (available: bigint): Rejection => ({
  code: 'INSUFFICIENT_NOVA',
  message: `Only ${Money.ofMinor(available).toString()} Nova are available.`,
  available,
});

/**
 * The event that pays a member what pools owe them, as far as one event may (rule ledger-21): the first
 * thousand pools by name. Empty when nothing is owed.
 */
export function payoutOf(state: LedgerState, userId: string): FactOf<'PoolRewardsPaid'>[] {
  const payouts = state.owedByPool(userId).slice(0, POOLS_PER_PAYOUT_MAX);
  return payouts.length ? [poolRewardsPaid(userId, payouts)] : [];
}

function poolRewardsPaid(userId: string, payouts: [pool: PoolName, amount: bigint][]): FactOf<'PoolRewardsPaid'> {
  const postings = new Postings();
  for (const [pool, amount] of payouts) postings.add(pool, -amount);
  const sum = payouts.reduce((total, [, amount]) => total + amount, 0n);
  postings.add(userAccount(userId, 'earned'), sum);
  return { type: 'PoolRewardsPaid', userId, payouts, entries: postings.entries() };
}

/** One event must pay everything owed before shares change; a holder of more pools collects first. */
export function payoutInFull(
  state: LedgerState,
  userId: string,
): FactOf<'PoolRewardsPaid'>[] | { rejection: Rejection } {
  if (state.owedByPool(userId).length <= POOLS_PER_PAYOUT_MAX) return payoutOf(state, userId);
  return refuse({
    code: 'TOO_MANY_POOLS',
    message: 'Rewards from too many sources are waiting. Collect them first, then try again.',
    holderId: userId,
  });
}

/** The account for a pool's share: a pool without holders takes no deposit. */
export const poolOrTreasury = (state: LedgerState, pool: PoolName): AccountName =>
  state.pool(pool).shares > 0n ? pool : 'treasury';

/** The amount that a payout adds to earned. */
export const paidBy = (events: readonly FactOf<'PoolRewardsPaid'>[]): bigint =>
  events.reduce((sum, { payouts }) => payouts.reduce((all, [, amount]) => all + amount, sum), 0n);

/**
 * Finds an amount in a member's Nova, purchased before earned; what pools owe is paid first when it is needed. Whether the
 * member may spend at all is the caller's question.
 */
export function takeFunds(state: LedgerState, userId: string, amount: bigint): Funds {
  const paid = state.mix(userId);
  const mix = purchasedFirst(amount, paid);
  if (amount <= mixTotal(paid)) return { before: [], mix };
  const available = state.novaBalance(userId);
  if (amount > available) return refuse(insufficient(available));
  const before = payoutInFull(state, userId);
  return 'rejection' in before ? before : { before, mix };
}

/** `takeFunds` for a member's own spending: refused while closing, closed or frozen. */
export function spend(state: LedgerState, userId: string, amount: bigint): Funds {
  const rejection = amountRejection(amount) ?? closedRejection(state, userId) ?? frozenRejection(state, userId);
  return rejection ? refuse(rejection) : takeFunds(state, userId, amount);
}

/**
 * Checks Nova that is issued to a member or comes from outside: the account is open, and all Nova stays within bounds.
 */
/** For lists of ids, which the check of a command's own fields does not see. */
export const idRejection = (userId: string): Rejection | undefined =>
  isAccountId(userId) ? undefined : { code: 'INVALID_COMMAND', message: 'The field userId is not an id.' };

export const issueRejection = (state: LedgerState, userId: string, amount: bigint): Rejection | undefined =>
  amountRejection(amount) ?? closedRejection(state, userId) ?? supplyRejection(state, amount);

export const issue = (userId: string, amount: bigint): readonly Entry[] =>
  new Postings().add('issuance:NOVA', -amount).add(userAccount(userId, 'earned'), amount).entries();

/** Events do not hold daily limits, so the audit trusts that the limit was kept. */
export const UNKNOWN_DAILY_LIMIT = 2n ** 62n;

/** A member's spending through an application is limited a UTC day (rule apps-5). */
export function appSpendingRejection(
  state: LedgerState,
  userId: string,
  amount: bigint,
  via: AppSpendingContext,
  at: number,
): Rejection | undefined {
  const left = via.dailyLimit - state.spentToday(userId, via.clientId, at);
  if (amount <= left) return undefined;
  const available = left > 0n ? left : 0n;
  return {
    code: 'DAILY_LIMIT',
    message: `This application may spend ${Money.ofMinor(available).toString()} Nova more today.`,
    available,
  };
}

/**
 * When the last holder leaves a pool, the rest in it, less than a minor unit for each holder, goes to the treasury
 * (rule ledger-19).
 */
export function leavePool(
  state: LedgerState,
  postings: Postings,
  name: PoolName,
  userId: string,
  shares: bigint,
): void {
  const pool = state.pool(name);
  const holder = state.holder(name, userId);
  if (!holder || pool.shares !== shares) return;
  const rest = pool.balance - owed(pool, holder);
  postings.add(name, -rest).add('treasury', rest);
}
