import { DAY_MS } from '../day.js';
import {
  MEMBER_BALANCES,
  MEMBER_BALANCE_CURRENCY,
  appAccount,
  chatAccount,
  isThreadPool,
  mayGoBelowZero,
  userAccount,
  type AccountName,
  type MemberBalance,
  type PoolName,
} from './accounts.js';
import { EVOLVE_VERSION } from './constants.js';
import { CURRENCIES, type Currency } from './currencies.js';
import type { SigningScope } from './movements/signing.js';
import { invariant, LedgerInvariantError } from './invariant.js';
import { KeyWindow, type KeyWindowSnapshot } from './key-window.js';
import { Members, type MembersSnapshot } from './members.js';
import { ownText } from './own-text.js';
import type { Mix } from './postings.js';
import { EMPTY_POOL, TOKEN_POOLS, changeShares, deposit, owed, payOut, type Holder, type Pool } from './pools.js';
import { mapUndo, type UndoLog, type Undoable } from './undo-log.js';

/** A chat's payment in escrow, with its mix. */
export interface Hold {
  readonly initiatorId: string;
  readonly hostId: string;
  readonly purchased: bigint;
  readonly earned: bigint;
}

/** What a successful chat still owes its two sides until each has rated. */
export interface PendingReward {
  readonly initiatorId: string;
  readonly hostId: string;
  readonly hostAmount: bigint;
  readonly hostReleased: boolean;
  readonly initiatorReleased: boolean;
}

/** What a reversed purchase could not take from a member, and what of it is still owed, in minor units. */
export interface Shortfall {
  readonly reversalId: string;
  readonly amount: bigint;
  /** More than nothing. */
  readonly open: bigint;
}

/** The wallet of an OAuth application. */
export interface AppWallet {
  readonly ownerId: string;
  readonly purchased: bigint;
  readonly earned: bigint;
}

/** The key whose signatures are valid from an event on. */
export interface Signing extends SigningScope {
  /** 32 hex digits. */
  readonly journal: string;
  /** Ed25519, 64 hex digits. */
  readonly publicKey: string;
  /** The first revision that this key signs. */
  readonly since: number;
}

export interface LedgerSnapshot {
  readonly version: number;
  readonly revision: number;
  readonly time: number;
  readonly day: number;
  readonly members: MembersSnapshot;
  readonly platform: ReadonlyMap<AccountName, bigint>;
  readonly holds: ReadonlyMap<string, Hold>;
  readonly rewards: ReadonlyMap<string, PendingReward>;
  readonly pools: ReadonlyMap<PoolName, Pool>;
  readonly holders: ReadonlyMap<PoolName, ReadonlyMap<string, Holder>>;
  readonly freezes: ReadonlyMap<string, readonly string[]>;
  readonly shortfalls: ReadonlyMap<string, readonly Shortfall[]>;
  readonly closed: ReadonlyMap<string, 'closing' | 'closed'>;
  readonly apps: ReadonlyMap<string, AppWallet>;
  readonly appSpending: ReadonlyMap<string, bigint>;
  readonly adminGrants: ReadonlyMap<string, bigint>;
  readonly keys: KeyWindowSnapshot;
  readonly signing: Signing | undefined;
}

/** The platform's accounts and their balances. */
const PLATFORM_CURRENCY: ReadonlyMap<AccountName, Currency> = new Map<AccountName, Currency>([
  ['treasury', 'NOVA'],
  ['external:stripe', 'NOVA'],
  ['external:chargebacks', 'NOVA'],
  ...CURRENCIES.flatMap((currency): [AccountName, Currency][] => [
    [`issuance:${currency}`, currency],
    [`burned:${currency}`, currency],
  ]),
]);

/**
 * Everything the rules need to decide the next command, and nothing more: its size depends on accounts, shares, open
 * items and the key window, never on the length of history (rule ledger-12). `evolve` alone changes it; with an
 * `UndoLog` attached, the changes are an overlay that can be undone.
 */
export class LedgerState {
  /** Revision of the last event applied, −1 before the first. */
  revision = -1;
  /** Journal time of the last event, in milliseconds since 1970. */
  time = 0;
  /** UTC day of the last event, to which `appSpending` and `adminGrants` belong. */
  private day = 0;
  private members = new Members();
  /** Treasury, external, issuance, burned. */
  private platform = new Map<AccountName, bigint>();
  private holds = new Map<string, Hold>();
  private rewards = new Map<string, PendingReward>();
  private pools = new Map<PoolName, Pool>();
  private holders = new Map<PoolName, Map<string, Holder>>();
  /** The thread pools of which a member holds a share. */
  private threads = new Map<string, ReadonlySet<PoolName>>();
  private freezes = new Map<string, readonly string[]>();
  /** What each member owes, oldest first. */
  private shortfalls = new Map<string, readonly Shortfall[]>();
  private closed = new Map<string, 'closing' | 'closed'>();
  private apps = new Map<string, AppWallet>();
  /** Spent today by `{userId}:{clientId}` through applications. */
  private appSpending = new Map<string, bigint>();
  /** Granted today by each admin. */
  private adminGrants = new Map<string, bigint>();
  private signs: Signing | undefined;
  private undo: UndoLog | undefined;
  private readonly advanced: Undoable<number, number, undefined> = {
    takeBack: (revision, time) => {
      this.revision = revision;
      this.time = time;
    },
  };
  private readonly signingChanged: Undoable<Signing | undefined, undefined, undefined> = {
    takeBack: (signing) => {
      this.signs = signing;
    },
  };
  private readonly dayBegun: Undoable<number, Map<string, bigint>, Map<string, bigint>> = {
    takeBack: (day, appSpending, adminGrants) => {
      this.day = day;
      this.appSpending = appSpending;
      this.adminGrants = adminGrants;
    },
  };

  constructor(private keyWindow = new KeyWindow()) {}

  // ---- what decisions read ------------------------------------------------------------------------------------------

  get keys(): Pick<KeyWindow, 'find' | 'evicted' | 'evictions' | 'size'> {
    return this.keyWindow;
  }

  get memberCount(): number {
    return this.members.size;
  }

  memberIds(): IterableIterator<string> {
    return this.members.ids();
  }

  hasMember(userId: string): boolean {
    return this.members.has(userId);
  }

  balance(userId: string, balance: MemberBalance): bigint {
    return this.members.balance(userId, balance);
  }

  /** The Nova that a member can spend without a payout from pools. */
  mix(userId: string): Mix {
    return this.members.mix(userId);
  }

  hostReleases(userId: string): number {
    return this.members.hostReleases(userId);
  }

  platformBalance(account: AccountName): bigint {
    return this.platform.get(account) ?? 0n;
  }

  pool(name: PoolName): Pool {
    return this.pools.get(name) ?? EMPTY_POOL;
  }

  holder(pool: PoolName, userId: string): Holder | undefined {
    return this.holders.get(pool)?.get(userId);
  }

  /** The whole minor units that every pool owes a member, in the order of the pools' names. */
  owedByPool(userId: string): [pool: PoolName, amount: bigint][] {
    const owing: [PoolName, bigint][] = [];
    for (const name of this.poolsOf(userId)) {
      const amount = this.owedBy(name, userId);
      if (amount > 0n) owing.push([name, amount]);
    }
    return owing.toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  owed(userId: string): bigint {
    let sum = this.owedBy(TOKEN_POOLS.influence, userId) + this.owedBy(TOKEN_POOLS.karma, userId);
    for (const name of this.threads.get(userId) ?? []) sum += this.owedBy(name, userId);
    return sum;
  }

  private owedBy(name: PoolName, userId: string): bigint {
    const holder = this.holder(name, userId);
    return holder ? owed(this.pool(name), holder) : 0n;
  }

  /** A member's Nova balance as the product shows it: purchased + earned + owed. */
  novaBalance(userId: string): bigint {
    const { purchased, earned } = this.members.mix(userId);
    return purchased + earned + this.owed(userId);
  }

  /** Every pool in which a member has shares. */
  poolsOf(userId: string): PoolName[] {
    const names: PoolName[] = [];
    if (this.holder(TOKEN_POOLS.influence, userId)) names.push(TOKEN_POOLS.influence);
    if (this.holder(TOKEN_POOLS.karma, userId)) names.push(TOKEN_POOLS.karma);
    const threads = this.threads.get(userId);
    return threads ? [...names, ...threads] : names;
  }

  hold(chatId: string): Hold | undefined {
    return this.holds.get(chatId);
  }

  pendingReward(chatId: string): PendingReward | undefined {
    return this.rewards.get(chatId);
  }

  isFrozen(userId: string): boolean {
    return this.freezes.has(userId);
  }

  disputes(userId: string): readonly string[] {
    return this.freezes.get(userId) ?? [];
  }

  /** What a member owes for reversed purchases, oldest first. */
  shortfallsOf(userId: string): readonly Shortfall[] {
    return this.shortfalls.get(userId) ?? [];
  }

  shortfall(userId: string, reversalId: string): Shortfall | undefined {
    return this.shortfallsOf(userId).find((shortfall) => shortfall.reversalId === reversalId);
  }

  closure(userId: string): 'closing' | 'closed' | undefined {
    return this.closed.get(userId);
  }

  app(clientId: string): AppWallet | undefined {
    return this.apps.get(clientId);
  }

  /** Undefined while the journal is not signed. */
  get signing(): Signing | undefined {
    return this.signs;
  }

  /** The amount that a member has spent through an application on the UTC day of `at`. */
  spentToday(userId: string, clientId: string, at: number): bigint {
    if (Math.floor(at / DAY_MS) !== this.day) return 0n;
    return this.appSpending.get(`${userId}:${clientId}`) ?? 0n;
  }

  /** The Nova that an admin has granted on the UTC day of `at`, in minor units. */
  grantedToday(adminId: string, at: number): bigint {
    if (Math.floor(at / DAY_MS) !== this.day) return 0n;
    return this.adminGrants.get(adminId) ?? 0n;
  }

  /** True while a member has a hold, a pending reward or an application's wallet with money. */
  hasOpenItems(userId: string): boolean {
    for (const hold of this.holds.values()) if (hold.initiatorId === userId || hold.hostId === userId) return true;
    for (const reward of this.rewards.values()) {
      if (reward.hostId === userId && !reward.hostReleased) return true;
      if (reward.initiatorId === userId && !reward.initiatorReleased) return true;
    }
    for (const app of this.apps.values()) if (app.ownerId === userId && app.purchased + app.earned > 0n) return true;
    return false;
  }

  /** Every account that was ever used, with its balance, in undefined order. */
  *accounts(): Generator<readonly [account: AccountName, currency: Currency, balance: bigint]> {
    for (const userId of this.members.ids()) {
      for (const balance of MEMBER_BALANCES) {
        yield [userAccount(userId, balance), MEMBER_BALANCE_CURRENCY[balance], this.balance(userId, balance)];
      }
    }
    for (const [clientId, app] of this.apps) {
      yield [appAccount(clientId, 'purchased'), 'NOVA', app.purchased];
      yield [appAccount(clientId, 'earned'), 'NOVA', app.earned];
    }
    for (const [chatId, hold] of this.holds) yield [chatAccount(chatId), 'NOVA', hold.purchased + hold.earned];
    for (const [name, pool] of this.pools) yield [name, 'NOVA', pool.balance];
    for (const [account, balance] of this.platform) yield [account, PLATFORM_CURRENCY.get(account) ?? 'NOVA', balance];
  }

  poolNames(): PoolName[] {
    return [...this.pools.keys()];
  }

  holdersOf(pool: PoolName): ReadonlyMap<string, Holder> {
    return this.holders.get(pool) ?? new Map<string, Holder>();
  }

  // ---- what `evolve` changes ----------------------------------------------------------------------------------------

  /** Starts or stops recording every change. */
  attach(undo: UndoLog | undefined): void {
    this.undo = undo;
  }

  /** Indexes the keys of many events for searching. */
  indexKeys(): void {
    this.keyWindow.indexRows();
  }

  /** Changes up to there are durable: releases the keys that had left the window. */
  settleKeys(evictions: number): void {
    this.keyWindow.settle(evictions);
  }

  advance(revision: number, at: number): void {
    this.undo?.record(this.advanced, this.revision, this.time, undefined);
    this.revision = revision;
    this.time = at;
    const today = Math.floor(at / DAY_MS);
    if (today === this.day) return;
    this.undo?.record(this.dayBegun, this.day, this.appSpending, this.adminGrants);
    this.day = today;
    this.appSpending = new Map();
    this.adminGrants = new Map();
  }

  addKey(hash: string, fingerprint: string, revision: number, at: number): void {
    this.keyWindow.add({ hash, fingerprint }, revision, at, this.undo);
  }

  postMember(userId: string, balance: MemberBalance, delta: bigint): void {
    this.members.post(userId, balance, delta, this.undo);
  }

  postPlatform(account: AccountName, currency: Currency, delta: bigint): void {
    if (PLATFORM_CURRENCY.get(account) !== currency) {
      throw new LedgerInvariantError(`no account ${account} holds ${currency}`);
    }
    const after = this.platformBalance(account) + delta;
    if (after < 0n && !mayGoBelowZero(account)) throw new LedgerInvariantError(`${account} would be ${after}`);
    this.put(this.platform, account, after);
  }

  postApp(clientId: string, ownerId: string, purchased: bigint, earned: bigint): void {
    const before = this.apps.get(clientId) ?? { ownerId: ownText(ownerId), purchased: 0n, earned: 0n };
    const after = { ownerId: before.ownerId, purchased: before.purchased + purchased, earned: before.earned + earned };
    invariant(after.purchased >= 0n && after.earned >= 0n, () => `app:${clientId} would be below zero`);
    this.put(this.apps, clientId, after);
  }

  depositToPool(name: PoolName, amount: bigint): void {
    this.put(this.pools, name, deposit(this.pool(name), amount));
  }

  /** The rest of a pool when its last holder leaves. */
  emptyPool(name: PoolName, amount: bigint): void {
    const pool = this.pool(name);
    invariant(pool.shares === 0n, () => `${name} still has holders`);
    invariant(pool.balance === amount, () => `${name} holds ${pool.balance}, not ${amount}`);
    this.put(this.pools, name, { ...pool, balance: 0n });
  }

  payFromPool(name: PoolName, userId: string, amount: bigint): void {
    const before = this.holder(name, userId);
    invariant(before !== undefined, () => `${userId} has no share of ${name}`);
    const { pool, holder } = payOut(this.pool(name), before, amount);
    this.put(this.pools, name, pool);
    this.put(this.holdersIn(name), userId, holder);
  }

  changeShares(name: PoolName, userId: string, delta: bigint): void {
    const { pool, holder } = changeShares(this.pool(name), this.holder(name, userId), delta);
    this.put(this.pools, name, pool);
    const holders = this.holdersIn(name);
    if (holder) this.put(holders, userId, holder);
    else this.drop(holders, userId);
    if (isThreadPool(name)) this.indexThread(name, userId, holder !== undefined);
  }

  openHold(chatId: string, hold: Hold): void {
    invariant(!this.holds.has(chatId), () => `chat:${chatId} is already held`);
    this.put(this.holds, chatId, withOwnIds(hold));
  }

  closeHold(chatId: string): void {
    this.drop(this.holds, chatId);
  }

  setReward(chatId: string, reward: PendingReward): void {
    if (reward.hostReleased && reward.initiatorReleased) this.drop(this.rewards, chatId);
    else this.put(this.rewards, chatId, withOwnIds(reward));
  }

  countHostRelease(userId: string): void {
    this.members.countHostRelease(userId, this.undo);
  }

  freeze(userId: string, disputeId: string): void {
    this.put(this.freezes, userId, [...this.disputes(userId).filter((id) => id !== disputeId), ownText(disputeId)]);
  }

  unfreeze(userId: string, disputeId: string | null): void {
    const left = disputeId === null ? [] : this.disputes(userId).filter((id) => id !== disputeId);
    if (left.length) this.put(this.freezes, userId, left);
    else this.drop(this.freezes, userId);
  }

  openShortfall(userId: string, reversalId: string, amount: bigint): void {
    const opened = { reversalId: ownText(reversalId), amount, open: amount };
    this.put(this.shortfalls, userId, [...this.shortfallsOf(userId), opened]);
  }

  /** Takes from what is open; a shortfall of which nothing is left is forgotten. */
  reduceShortfall(userId: string, reversalId: string, by: bigint): void {
    const reduced = this.shortfall(userId, reversalId);
    invariant(
      reduced !== undefined && by > 0n && by <= reduced.open,
      () => `${userId} does not owe ${by} of ${reversalId}`,
    );
    const open = reduced.open - by;
    const all = this.shortfallsOf(userId).flatMap((each) => {
      if (each !== reduced) return [each];
      return open > 0n ? [{ ...each, open }] : [];
    });
    if (all.length) this.put(this.shortfalls, userId, all);
    else this.drop(this.shortfalls, userId);
  }

  forgetShortfalls(userId: string): void {
    this.drop(this.shortfalls, userId);
  }

  setClosure(userId: string, closure: 'closing' | 'closed'): void {
    this.put(this.closed, userId, closure);
  }

  setSigning(signing: Signing): void {
    this.undo?.record(this.signingChanged, this.signs, undefined, undefined);
    this.signs = signing;
  }

  countAppSpending(userId: string, clientId: string, amount: bigint): void {
    const key = `${userId}:${clientId}`;
    this.put(this.appSpending, key, (this.appSpending.get(key) ?? 0n) + amount);
  }

  countAdminGrant(adminId: string, amount: bigint): void {
    this.put(this.adminGrants, adminId, (this.adminGrants.get(adminId) ?? 0n) + amount);
  }

  // ---- snapshots ----------------------------------------------------------------------------------------------------

  /** A copy that structured clone and `v8.serialize` understand. Not while an overlay is open. */
  snapshot(): LedgerSnapshot {
    invariant(this.undo === undefined || this.undo.length === 0, 'a snapshot is taken of durable ground only');
    return {
      version: EVOLVE_VERSION,
      revision: this.revision,
      time: this.time,
      day: this.day,
      members: this.members.snapshot(),
      platform: new Map(this.platform),
      holds: new Map(this.holds),
      rewards: new Map(this.rewards),
      pools: new Map(this.pools),
      holders: new Map([...this.holders].map(([name, holders]) => [name, new Map(holders)])),
      freezes: new Map(this.freezes),
      shortfalls: new Map(this.shortfalls),
      closed: new Map(this.closed),
      apps: new Map(this.apps),
      appSpending: new Map(this.appSpending),
      adminGrants: new Map(this.adminGrants),
      keys: this.keyWindow.snapshot(),
      signing: this.signs,
    };
  }

  /**
   * @param keys the window for the snapshot's keys, if it is not of the usual size
   * @throws LedgerInvariantError for a snapshot of another version of `evolve`
   */
  static restore(from: LedgerSnapshot, keys = KeyWindow.restore(from.keys)): LedgerState {
    invariant(from.version === EVOLVE_VERSION, () => `snapshot version ${from.version}, not ${EVOLVE_VERSION}`);
    const state = new LedgerState(keys);
    state.revision = from.revision;
    state.signs = from.signing;
    state.time = from.time;
    state.day = from.day;
    state.members = Members.restore(from.members);
    state.platform = new Map(from.platform);
    state.holds = new Map(from.holds);
    state.rewards = new Map(from.rewards);
    state.pools = new Map(from.pools);
    state.holders = new Map([...from.holders].map(([name, holders]) => [name, new Map(holders)]));
    for (const [name, holders] of state.holders) {
      if (isThreadPool(name)) for (const userId of holders.keys()) state.indexThread(name, userId, true);
    }
    state.freezes = new Map(from.freezes);
    state.shortfalls = new Map(from.shortfalls);
    state.closed = new Map(from.closed);
    state.apps = new Map(from.apps);
    state.appSpending = new Map(from.appSpending);
    state.adminGrants = new Map(from.adminGrants);
    return state;
  }

  private holdersIn(name: PoolName): Map<string, Holder> {
    const known = this.holders.get(name);
    if (known) return known;
    const holders = new Map<string, Holder>();
    this.put(this.holders, name, holders);
    return holders;
  }

  private indexThread(name: PoolName, userId: string, member: boolean): void {
    const threads = new Set(this.threads.get(userId));
    if (member) threads.add(name);
    else threads.delete(name);
    if (threads.size) this.put(this.threads, userId, threads);
    else this.drop(this.threads, userId);
  }

  private put<K extends string, V>(map: Map<K, V>, key: K, value: V): void {
    const before = map.get(key);
    this.undo?.record(mapUndo, map, key, before);
    map.set(before === undefined ? ownText(key) : key, value);
  }

  private drop<K, V>(map: Map<K, V>, key: K): void {
    const before = map.get(key);
    if (before === undefined) return;
    this.undo?.record(mapUndo, map, key, before);
    map.delete(key);
  }
}

const withOwnIds = <T extends { readonly initiatorId: string; readonly hostId: string }>(chat: T): T => ({
  ...chat,
  initiatorId: ownText(chat.initiatorId),
  hostId: ownText(chat.hostId),
});
