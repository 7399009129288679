import { MEMBER_BALANCES, type MemberBalance } from './accounts.js';
import { LedgerInvariantError } from './invariant.js';
import { MemberIds, type MemberIdsSnapshot } from './member-ids.js';
import type { Mix } from './postings.js';
import type { UndoLog, Undoable } from './undo-log.js';

const BALANCE_MAX = 2n ** 62n;

const NOTHING: Mix = { purchased: 0n, earned: 0n };

export interface MembersSnapshot {
  readonly ids: MemberIdsSnapshot;
  readonly balances: readonly BigInt64Array[];
  readonly hostReleases: Uint32Array;
}

type Columns = Record<MemberBalance, BigInt64Array>;

const columnsOf = (make: (balance: MemberBalance, column: number) => BigInt64Array): Columns =>
  Object.fromEntries(MEMBER_BALANCES.map((balance, column) => [balance, make(balance, column)])) as Columns;

/**
 * Every member's balances as columns of 64-bit integers, about 100 bytes for each member with their id: a million
 * members fit into memory where a million objects would not.
 */
export class Members {
  private slots = new MemberIds();
  private columns = columnsOf(() => new BigInt64Array(64));
  private releases = new Uint32Array(64);
  private readonly posted: Undoable<MemberBalance, number, bigint> = {
    takeBack: (balance, slot, before) => {
      this.columns[balance][slot] = before;
    },
  };
  private readonly released: Undoable<number, number, undefined> = {
    takeBack: (slot, before) => {
      this.releases[slot] = before;
    },
  };
  private readonly joined: Undoable<string, undefined, undefined> = {
    takeBack: (userId) => this.slots.removeNewest(userId),
  };

  get size(): number {
    return this.slots.size;
  }

  ids(): IterableIterator<string> {
    return this.slots[Symbol.iterator]();
  }

  has(userId: string): boolean {
    return this.slots.slotOf(userId) >= 0;
  }

  balance(userId: string, balance: MemberBalance): bigint {
    const slot = this.slots.slotOf(userId);
    return slot < 0 ? 0n : (this.columns[balance][slot] ?? 0n);
  }

  /** Purchased and earned together: every payment needs both. */
  mix(userId: string): Mix {
    const slot = this.slots.slotOf(userId);
    if (slot < 0) return NOTHING;
    return {
      purchased: this.columns.purchased[slot] ?? 0n,
      earned: this.columns.earned[slot] ?? 0n,
    };
  }

  /** Rewards released to a member as host so far; every fifth mints Influence. */
  hostReleases(userId: string): number {
    const slot = this.slots.slotOf(userId);
    return slot < 0 ? 0 : (this.releases[slot] ?? 0);
  }

  post(userId: string, balance: MemberBalance, delta: bigint, undo: UndoLog | undefined): void {
    const slot = this.slotOf(userId, undo);
    const balances = this.columns[balance];
    const before = balances[slot] ?? 0n;
    const after = before + delta;
    if (after < 0n) throw new LedgerInvariantError(`user:${userId}:${balance} would be ${after}`);
    if (after >= BALANCE_MAX) throw new LedgerInvariantError(`user:${userId}:${balance} is beyond 64 bits`);
    balances[slot] = after;
    undo?.record(this.posted, balance, slot, before);
  }

  countHostRelease(userId: string, undo: UndoLog | undefined): void {
    const slot = this.slotOf(userId, undo);
    const before = this.releases[slot] ?? 0;
    this.releases[slot] = before + 1;
    undo?.record(this.released, slot, before, undefined);
  }

  snapshot(): MembersSnapshot {
    return {
      ids: this.slots.snapshot(),
      balances: MEMBER_BALANCES.map((balance) => this.columns[balance].slice(0, this.slots.size)),
      hostReleases: this.releases.slice(0, this.slots.size),
    };
  }

  static restore(from: MembersSnapshot): Members {
    const members = new Members();
    members.slots = MemberIds.restore(from.ids);
    members.columns = columnsOf((_, column) => new BigInt64Array(from.balances[column] ?? []));
    members.releases = from.hostReleases.slice();
    return members;
  }

  private slotOf(userId: string, undo: UndoLog | undefined): number {
    const known = this.slots.slotOf(userId);
    if (known >= 0) return known;
    const slot = this.slots.add(userId);
    if (slot >= this.releases.length) this.grow(slot);
    undo?.record(this.joined, userId, undefined, undefined);
    return slot;
  }

  private grow(slot: number): void {
    const capacity = Math.ceil(slot * 1.5) + 64;
    const { columns } = this;
    this.columns = columnsOf((balance) => {
      const wider = new BigInt64Array(capacity);
      wider.set(columns[balance]);
      return wider;
    });
    const releases = new Uint32Array(capacity);
    releases.set(this.releases);
    this.releases = releases;
  }
}
