import { mayGoBelowZero } from './accounts.js';
import { POOL_SCALE } from './constants.js';
import { CURRENCIES } from './currencies.js';
import { owed, owedScaled } from './pools.js';
import type { LedgerState } from './state.js';

/**
 * Checks what must hold of a whole state at any revision (`ledger.md`, invariants 1, 2 and 4) and answers with a sentence
 * for each breach; none is what it should be. Costs time in proportion to the accounts: for `verify` and tests.
 */
export function auditState(state: LedgerState): string[] {
  const breaches: string[] = [];
  const sums = new Map(CURRENCIES.map((currency) => [currency, 0n]));
  for (const [account, currency, balance] of state.accounts()) {
    sums.set(currency, (sums.get(currency) ?? 0n) + balance);
    if (balance < 0n && !mayGoBelowZero(account)) breaches.push(`${account} is below zero: ${balance}`);
  }
  for (const [currency, sum] of sums) if (sum !== 0n) breaches.push(`all balances of ${currency} sum to ${sum}, not 0`);
  return [...breaches, ...auditPools(state)];
}

function auditPools(state: LedgerState): string[] {
  const breaches: string[] = [];
  for (const name of state.poolNames()) {
    const pool = state.pool(name);
    let shares = 0n;
    let scaled = pool.remainder;
    let whole = 0n;
    for (const holder of state.holdersOf(name).values()) {
      shares += holder.shares;
      scaled += owedScaled(pool, holder);
      whole += owed(pool, holder);
    }
    const holders = BigInt(state.holdersOf(name).size);
    const rest = pool.balance - whole;
    if (shares !== pool.shares) breaches.push(`${name} counts ${pool.shares} shares, its holders have ${shares}`);
    if (scaled !== pool.balance * POOL_SCALE) breaches.push(`${name} holds ${pool.balance}, which is not what it owes`);
    if (rest < 0n || rest > holders + 1n) breaches.push(`${name} has a remainder of ${rest} with ${holders} holders`);
  }
  return breaches;
}
