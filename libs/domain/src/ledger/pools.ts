import type { PoolName } from './accounts.js';
import { POOL_SCALE } from './constants.js';
import { invariant } from './invariant.js';

/**
 * Paying a pool to any number of holders in O(1) (rule ledger-18). A pool keeps the accumulated reward per share,
 * scaled by 10^12; a holder keeps the accumulator when last settled and the scaled fraction left over. All values are
 * immutable: each function answers with the next one.
 */
export interface Pool {
  /** Minor units of NOVA in the pool's account. */
  readonly balance: bigint;
  /** Accumulated reward per share, scaled. */
  readonly accumulator: bigint;
  /** The remainder of the last division, scaled, carried into the next deposit. */
  readonly remainder: bigint;
  /** Sum of all holders' shares. */
  readonly shares: bigint;
}

export interface Holder {
  readonly shares: bigint;
  /** The pool's accumulator when this holder was last settled. */
  readonly settledAt: bigint;
  /** Scaled part of a minor unit that is owed beyond what was paid. */
  readonly fraction: bigint;
}

export const EMPTY_POOL: Pool = { balance: 0n, accumulator: 0n, remainder: 0n, shares: 0n };

/** Both fixed pools, by the member's balance of tokens that is their shares. */
export const TOKEN_POOLS = { influence: 'pool:influence', karma: 'pool:karma' } as const satisfies Record<
  string,
  PoolName
>;

/** Deposits money. A pool without holders takes none: that share belongs to the treasury. */
export function deposit(pool: Pool, amount: bigint): Pool {
  invariant(pool.shares > 0n, 'a pool without holders takes no deposit');
  const scaled = amount * POOL_SCALE + pool.remainder;
  return {
    ...pool,
    balance: pool.balance + amount,
    accumulator: pool.accumulator + scaled / pool.shares,
    remainder: scaled % pool.shares,
  };
}

/** The scaled amount that the pool owes a holder. */
export const owedScaled = (pool: Pool, holder: Holder): bigint =>
  holder.shares * (pool.accumulator - holder.settledAt) + holder.fraction;

/** The whole minor units that the pool owes a holder, which a payout pays. */
export const owed = (pool: Pool, holder: Holder): bigint => owedScaled(pool, holder) / POOL_SCALE;

/** Pays a holder exactly what is owed. */
export function payOut(pool: Pool, holder: Holder, amount: bigint): { pool: Pool; holder: Holder } {
  const scaled = owedScaled(pool, holder);
  invariant(amount === scaled / POOL_SCALE, () => `a payout of ${amount} where ${scaled / POOL_SCALE} is owed`);
  return {
    pool: { ...pool, balance: pool.balance - amount },
    holder: { ...holder, settledAt: pool.accumulator, fraction: scaled % POOL_SCALE },
  };
}

/**
 * Gives or takes shares. Whole units must have been paid before. The fraction stays with the holder; a holder who
 * leaves gives it back to the others.
 */
export function changeShares(
  pool: Pool,
  holder: Holder | undefined,
  delta: bigint,
): { pool: Pool; holder: Holder | undefined } {
  const before = holder ?? { shares: 0n, settledAt: pool.accumulator, fraction: 0n };
  const fraction = owedScaled(pool, before);
  invariant(fraction < POOL_SCALE, 'shares change only after what they are owed was paid');
  const shares = before.shares + delta;
  invariant(shares >= 0n, 'a holder has no negative shares');
  const total = pool.shares + delta;
  if (shares > 0n) {
    return { pool: { ...pool, shares: total }, holder: { shares, settledAt: pool.accumulator, fraction } };
  }
  if (total === 0n) return { pool: { ...pool, shares: 0n, remainder: 0n }, holder: undefined };
  const left = pool.remainder + fraction;
  return {
    pool: { ...pool, shares: total, accumulator: pool.accumulator + left / total, remainder: left % total },
    holder: undefined,
  };
}
