import { MEMBER_BALANCES, type MemberBalance, type PoolName } from '@app/domain';
import { owedSql } from '../pools/owed-sql.js';
import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';

/** All in minor units, all at one revision. */
export interface MemberBalances extends Readonly<Record<MemberBalance, bigint>> {
  readonly userId: string;
  /** What pools owe the member ("Rewards not yet credited"). */
  readonly owed: bigint;
  /** Sum of the member's open chat payments. */
  readonly held: bigint;
  /** The member's Nova balance everywhere in the product: purchased + earned + owed. */
  readonly nova: bigint;
}

export interface PoolStanding {
  readonly pool: PoolName;
  /** Sum of all holders' shares. */
  readonly shares: bigint;
  readonly memberShares: bigint;
  readonly owed: bigint;
}

const COLUMNS = [...MEMBER_BALANCES, 'held'] as const;
type Column = (typeof COLUMNS)[number];
type BalanceRow = { readonly [K in Column | 'user_id' | 'owed']: string };

/** Reads the read model `balances`. */
export class BalanceQueries {
  constructor(private readonly db: Queryable) {}

  /** A member's balances; all zero for a member whom the ledger does not know. */
  async member(userId: string): Promise<MemberBalances> {
    // As one of a list it would be planned anew each time: Postgres takes lists to be longer.
    const [found] = await this.read('balances of a member', 'm.user_id = $1', userId);
    return found ?? emptyBalances(userId);
  }

  /** Balances of many members by id; members whom the ledger does not know are absent. */
  async members(userIds: readonly string[]): Promise<ReadonlyMap<string, MemberBalances>> {
    const found = await this.read('balances of members', 'm.user_id = any($1)', userIds);
    return new Map(found.map((balances) => [balances.userId, balances]));
  }

  /** The pools in which a member has shares: the member's shares, all shares, and what each pool owes. */
  async pools(userId: string): Promise<PoolStanding[]> {
    const found = await this.db.query<{ pool: PoolName; shares: string; member_shares: string; owed: string }>(
      `select s.pool, p.shares, s.shares as member_shares, ${owedSql('s', 'p')} as owed
       from ${READ_SCHEMA}.pool_share s join ${READ_SCHEMA}.pool p using (pool)
       where s.user_id = $1 and s.shares > 0 order by s.pool`,
      [userId],
    );
    return found.rows.map(({ pool, shares, member_shares, owed }) => ({
      pool,
      shares: BigInt(shares),
      memberShares: BigInt(member_shares),
      owed: BigInt(owed),
    }));
  }

  private async read(name: string, whose: string, value: unknown): Promise<MemberBalances[]> {
    const { rows } = await this.db.query<BalanceRow>({
      name,
      text: `select m.user_id, ${COLUMNS.map((column) => `m.${column}`).join(', ')}, coalesce(o.owed, 0) as owed
        from ${READ_SCHEMA}.member_balance m
        left join lateral (
          select sum(${owedSql('s', 'p')}) as owed
          from ${READ_SCHEMA}.pool_share s join ${READ_SCHEMA}.pool p using (pool)
          where s.user_id = m.user_id) o on true
        where ${whose}`,
      values: [value],
    });
    return rows.map(balancesOf);
  }
}

function balancesOf(row: BalanceRow): MemberBalances {
  const [purchased, earned, owed] = [BigInt(row.purchased), BigInt(row.earned), BigInt(row.owed)];
  return {
    userId: row.user_id,
    purchased,
    earned,
    pending: BigInt(row.pending),
    karma: BigInt(row.karma),
    influence: BigInt(row.influence),
    seyvn: BigInt(row.seyvn),
    held: BigInt(row.held),
    owed,
    nova: purchased + earned + owed,
  };
}

const emptyBalances = (userId: string): MemberBalances => ({
  userId,
  purchased: 0n,
  earned: 0n,
  pending: 0n,
  karma: 0n,
  influence: 0n,
  seyvn: 0n,
  held: 0n,
  owed: 0n,
  nova: 0n,
});
