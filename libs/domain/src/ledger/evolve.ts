import {
  MEMBER_BALANCE_CURRENCY,
  MEMBER_BALANCES,
  isThreadPool,
  type AccountName,
  type MemberBalance,
  type PoolName,
} from './accounts.js';
import { CURRENCIES, type Currency } from './currencies.js';
import type { Entry, LedgerEvent } from './events.js';
import { invariant, LedgerInvariantError } from './invariant.js';
import { rulesOf } from './movements/registry.js';
import { TOKEN_POOLS } from './pools.js';
import type { LedgerState } from './state.js';

/**
 * Applies an event of the journal to the state and returns the same state. Deterministic: it looks only at its
 * arguments. The assertions stay on in production: an event that breaks one must stop the process.
 * @param revision the event's revision; it must be the one after the state's
 * @throws LedgerInvariantError an invariant (rules ledger-4 to ledger-12) would break; the state is then unfit for use
 */
export function evolve(state: LedgerState, event: LedgerEvent, revision: number): LedgerState {
  if (revision !== state.revision + 1) throw new LedgerInvariantError(`event ${revision} after ${state.revision}`);
  invariant(event.at >= state.time, 'journal time never runs backwards');
  assertBalanced(event.entries);
  state.advance(revision, event.at);
  applyMeaning(state, event);
  applyEntries(state, event);
  if (event.key) state.addKey(event.key.hash, event.key.fingerprint, revision, event.at);
  return state;
}

/** Invariant 1: entries sum to zero per currency. */
function assertBalanced(entries: readonly Entry[]): void {
  for (const currency of CURRENCIES) {
    let sum = 0n;
    for (const entry of entries) if (entry[1] === currency) sum += entry[2];
    // Without a closure for its sentence: this runs four times an event.
    if (sum !== 0n) throw new LedgerInvariantError(`entries of ${currency} sum to ${sum}`);
  }
}

const BALANCE_ENDINGS = MEMBER_BALANCES.map((balance) => ({ balance, ending: `:${balance}` }));

type ShareChange = readonly [pool: PoolName, userId: string, delta: bigint];

/** Posts every entry. Deposits come before share changes, so that granted shares count from the next deposit on. */
function applyEntries(state: LedgerState, event: LedgerEvent): void {
  const shares: ShareChange[] = event.type === 'AccountClosed' ? threadSharesOf(state, event.userId) : [];
  for (const [account, currency, delta] of event.entries) {
    if (account.startsWith('user:')) {
      const [userId, balance] = memberAccount(account, currency);
      state.postMember(userId, balance, delta);
      if (balance === 'influence' || balance === 'karma') shares.push([TOKEN_POOLS[balance], userId, delta]);
    } else if (isPool(account)) {
      if (delta > 0n) state.depositToPool(account, delta);
    } else if (account.startsWith('chat:')) {
      invariant(event.type.startsWith('ChatPayment'), () => `${event.type} moves ${account}`);
    } else if (account.startsWith('app:')) {
      invariant(movesApps(event.type), () => `${event.type} moves ${account}`);
    } else {
      state.postPlatform(account, currency, delta);
    }
  }
  for (const [pool, userId, delta] of shares) state.changeShares(pool, userId, delta);
  if (event.type !== 'PoolRewardsPaid') emptyPools(state, event.entries);
  for (const [pool] of shares) assertNothingStranded(state, pool);
}

/** Empties pools without paying holders: takes the rest after the last holder left. */
function emptyPools(state: LedgerState, entries: readonly Entry[]): void {
  for (const [account, , delta] of entries) if (delta < 0n && isPool(account)) state.emptyPool(account, -delta);
}

/** A pool without holders is empty: its rest went to the treasury in the same event. */
function assertNothingStranded(state: LedgerState, name: PoolName): void {
  const { shares, balance } = state.pool(name);
  invariant(shares > 0n || balance === 0n, () => `${name} is left with ${balance} and no holder`);
}

const movesApps = (type: LedgerEvent['type']): boolean => type.startsWith('App') || type === 'MovementReversed';

const isPool = (account: AccountName): account is PoolName => account.startsWith('pool:');

/** Splits `user:{id}:{balance}` without allocating the balance's name: this runs for every entry. */
function memberAccount(account: AccountName, currency: Currency): [userId: string, balance: MemberBalance] {
  for (const { balance, ending } of BALANCE_ENDINGS) {
    if (!account.endsWith(ending)) continue;
    if (MEMBER_BALANCE_CURRENCY[balance] !== currency) break;
    return [account.slice('user:'.length, -ending.length), balance];
  }
  throw new LedgerInvariantError(`no account ${account} holds ${currency}`);
}

/** An event's effects beyond its entries. */
function applyMeaning(state: LedgerState, event: LedgerEvent): void {
  const { effect, throughApp } = rulesOf(event);
  const spent = throughApp?.(event);
  if (spent?.countsAgainstDailyLimit) state.countAppSpending(spent.userId, spent.clientId, spent.amount);
  effect?.(state, event);
}

/** Shares without tokens: they leave with their holder, without an entry. */
function threadSharesOf(state: LedgerState, userId: string): ShareChange[] {
  const changes: ShareChange[] = [];
  for (const pool of state.poolsOf(userId)) {
    const holder = state.holder(pool, userId);
    if (holder && isThreadPool(pool)) changes.push([pool, userId, -holder.shares]);
  }
  return changes;
}
