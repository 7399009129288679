import {
  changeShares,
  deposit,
  EMPTY_POOL,
  payOut,
  threadPool,
  type Holder,
  type Pool,
  type PoolName,
} from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent } from '../read-model.js';
import { type Cached, CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { runInOrder } from '../tables/statements.js';
import { bigint, numeric, Table, text, textOf } from '../tables/table.js';

/** Pools as they are now. */
export const poolTable = (name: string) =>
  new Table(name, {
    columns: { pool: textOf<PoolName>(), accumulator: numeric, remainder: numeric, shares: bigint },
    key: ['pool'],
    fillfactor: 50,
  });

/** Shares as they are now. A holder who left stays as a row without shares. */
export const poolShareTable = (name: string, indexes: Readonly<Record<string, string>> = {}) =>
  new Table(name, {
    columns: { userId: text, pool: textOf<PoolName>(), shares: bigint, settledAt: numeric, fraction: numeric },
    key: ['userId', 'pool'],
    fillfactor: 80,
    indexes,
  });

/** The changes of an event: pools, and holders by `shareKey`, to be stored with its revision. */
interface PoolChanges {
  readonly pools: ReadonlySet<PoolName>;
  readonly holders: ReadonlySet<string>;
}

interface Changed extends PoolChanges {
  readonly pools: Set<PoolName>;
  readonly holders: Set<string>;
}

const NO_CHANGES: PoolChanges = { pools: new Set(), holders: new Set() };

const shareKey = (userId: string, pool: string): string => `${userId}${KEY_SEPARATOR}${pool}`;

/**
 * Follows the pools of the ledger (rule ledger-18) with the domain's own arithmetic, in tables of a read model. A
 * pool's balance stays zero here: accounts are kept elsewhere, and the arithmetic of shares does not read it.
 */
export class PoolBook {
  private readonly pools: Cached<ReturnType<typeof poolTable>>;
  private readonly holders: Cached<ReturnType<typeof poolShareTable>>;

  constructor(pools: ReturnType<typeof poolTable>, shares: ReturnType<typeof poolShareTable>, options: ApplierOptions) {
    this.pools = new CachedTable(pools, options);
    this.holders = new CachedTable(shares, options);
  }

  pool(name: PoolName): Pool {
    const found = this.pools.get(name);
    if (!found) return EMPTY_POOL;
    const { accumulator, remainder, shares } = found;
    return { balance: 0n, accumulator, remainder, shares };
  }

  /** A holder by `shareKey`, including one who left (without shares); undefined for a member who never held any. */
  holderByKey(key: string): Holder | undefined {
    return this.holders.get(key);
  }

  get isFull(): boolean {
    return this.holders.isFull || this.pools.isFull;
  }

  /** Loads everything that these events touch. */
  async load(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    if (this.pools.isComplete && this.holders.isComplete) return;
    const pools = new Set<string>();
    const holders = new Set<string>();
    const closed = new Set<string>();
    const touch = (userId: string, pool: string): void => {
      pools.add(pool);
      holders.add(shareKey(userId, pool));
    };
    for (const { ledger, postings } of events) {
      if (!ledger) continue;
      for (const { account } of postings) {
        if (account.sharesOf) touch(account.member?.userId ?? '', account.sharesOf);
        if (account.pool) pools.add(account.pool);
      }
      if (ledger.type === 'ThreadShareGranted') touch(ledger.userId, threadPool(ledger.hostId));
      if (ledger.type === 'PoolRewardsPaid') for (const [pool] of ledger.payouts) touch(ledger.userId, pool);
      if (ledger.type === 'AccountClosed') closed.add(ledger.userId);
    }
    if (closed.size > 0) await this.loadHoldersOf(client, closed, pools);
    await this.holders.load(client, holders);
    await this.pools.load(client, pools);
  }

  private async loadHoldersOf(client: BatchClient, userIds: ReadonlySet<string>, pools: Set<string>): Promise<void> {
    await this.holders.loadWhere(client, 'user_id = any($1)', [[...userIds]]);
    for (const [key, holder] of this.holders.entries()) {
      const [userId = '', pool = ''] = key.split(KEY_SEPARATOR);
      if (holder && userIds.has(userId)) pools.add(pool);
    }
  }

  /** Follows one event. Deposits come before shares change, so that new shares count from the next deposit on. */
  apply({ ledger: event, postings }: ProjectedEvent): PoolChanges {
    if (!event) return NO_CHANGES;
    let changes: Changed | undefined;
    const record = (): Changed => (changes ??= { pools: new Set(), holders: new Set() });
    const shares: [pool: PoolName, userId: string, delta: bigint][] = [];
    for (const { account, delta } of postings) {
      if (account.pool && delta > 0n) {
        this.pools.set(account.pool, deposit(this.pool(account.pool), delta));
        record().pools.add(account.pool);
      }
      if (account.sharesOf && account.member) shares.push([account.sharesOf, account.member.userId, delta]);
    }
    if (event.type === 'PoolRewardsPaid') {
      for (const [pool, amount] of event.payouts) this.pay(pool, event.userId, amount, record());
    }
    if (event.type === 'ThreadShareGranted') shares.push([threadPool(event.hostId), event.userId, 1n]);
    if (event.type === 'AccountClosed') shares.push(...this.threadShares(event.userId));
    for (const [pool, userId, delta] of shares) this.change(pool, userId, delta, record());
    return changes ?? NO_CHANGES;
  }

  private pay(pool: PoolName, userId: string, amount: bigint, changes: Changed): void {
    const key = shareKey(userId, pool);
    const holder = this.holders.get(key);
    if (!holder) throw new Error(`${userId} is paid by ${pool} without a share of it`);
    this.holders.set(key, payOut(this.pool(pool), holder, amount).holder);
    changes.holders.add(key);
  }

  private change(name: PoolName, userId: string, delta: bigint, changes: Changed): void {
    if (delta === 0n) return;
    const key = shareKey(userId, name);
    const before = this.holders.get(key);
    const { pool, holder } = changeShares(this.pool(name), before && before.shares > 0n ? before : undefined, delta);
    this.pools.set(name, pool);
    this.holders.set(key, holder ?? { shares: 0n, settledAt: pool.accumulator, fraction: 0n });
    changes.pools.add(name);
    changes.holders.add(key);
  }

  /**
   * The shares of thread pools that a member who closes their account still holds; token pools follow from the entries.
   */
  private threadShares(userId: string): [pool: PoolName, userId: string, delta: bigint][] {
    const found: [PoolName, string, bigint][] = [];
    for (const [key, holder] of this.holders.entries()) {
      if (!holder || holder.shares === 0n || !key.startsWith(`${userId}${KEY_SEPARATOR}pool:thread:`)) continue;
      found.push([key.slice(userId.length + 1) as PoolName, userId, -holder.shares]);
    }
    return found.toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  async write(client: BatchClient): Promise<void> {
    await runInOrder(client, [(c) => this.pools.write(c), (c) => this.holders.write(c)]);
  }
}
