import { mayGoBelowZero } from './accounts.js';
import { POOL_SCALE } from './constants.js';
import { CURRENCIES } from './currencies.js';
import { decide } from './decide.js';
import type { Entry, LedgerEvent, LedgerFact } from './events.js';
import { FIELDS, rulesOf } from './movements/registry.js';
import { owed, owedScaled } from './pools.js';
import type { LedgerState } from './state.js';

/**
 * Compares an event with what its command produces on the state before it: parties, amounts and each entry. No rule has
 * changed its result since the first release, so today's rules apply to every event. A rule that changes must keep its
 * earlier result here. @param state before the event @returns the difference, as the end of a sentence about the event
 */
export function auditEvent(state: LedgerState, event: LedgerEvent): string | undefined {
  const command = rulesOf(event).cameFrom(event);
  if (!command) return 'says what no command says';
  const decision = decide(state, command, event.at);
  if (!decision.accepted) return `is what the rules refuse there (${decision.rejection.code})`;
  const [made] = decision.events;
  if (decision.events.length > 1) return 'lacks the payout that comes before it';
  return made && differenceOf(made, event);
}

function differenceOf(made: LedgerFact, event: LedgerEvent): string | undefined {
  if (made.type !== event.type) return `is not the ${made.type} that its command makes`;
  const [expected, found] = [made, event] as unknown as Readonly<Record<string, unknown>>[];
  for (const { name, kind } of FIELDS.get(event.type) ?? []) {
    const isSame = kind === 'payouts' ? samePayouts(made, event) : expected?.[name] === found?.[name];
    if (!isSame) return `has another ${name} than its command gives it`;
  }
  return sameEntries(made.entries, event.entries) ? undefined : 'has other entries than its command makes';
}

function samePayouts(made: LedgerFact, event: LedgerFact): boolean {
  if (made.type !== 'PoolRewardsPaid' || event.type !== 'PoolRewardsPaid') return false;
  if (made.payouts.length !== event.payouts.length) return false;
  return made.payouts.every(([pool, amount], place) => {
    const payout = event.payouts[place];
    return payout?.[0] === pool && payout[1] === amount;
  });
}

function sameEntries(expected: readonly Entry[], found: readonly Entry[]): boolean {
  if (expected.length !== found.length) return false;
  return expected.every(([account, currency, delta], place) => {
    const entry = found[place];
    return entry?.[0] === account && entry[1] === currency && entry[2] === delta;
  });
}

/**
 * Checks the invariants of a whole state (rules ledger-4, ledger-5 and ledger-6) and returns a sentence for each
 * breach, ideally none. Its cost grows with the number of accounts: for `verify` and tests.
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
