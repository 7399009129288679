import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { RATING_SHOWN_BY_DEFAULT } from '../identity/limits.js';
import { JOIN_RATINGS, RATING_COLUMNS, shownRating } from '../identity/member-ratings.js';
import { InjectPool } from '../platform/database/database.module.js';
import { likePattern, searchKey } from '../platform/text.js';
import { toNova } from '../wallet/nova-amount.js';
import { ReadModels } from '../wallet/read-models.js';
import type { AdminUserDto } from './admin.dto.js';

const SELECT = `
  select a.id, a.display_name, a.email, a.profile_image_url, a.is_admin, a.created_at, ${RATING_COLUMNS}
  from accounts a ${JOIN_RATINGS}`;

const MATCHES = `closed_at is null and ($1::text is null or name_key like $1 escape '\\' or email_key like $1 escape '\\')`;

export const USER_SORTS = ['name', 'created', 'balance', 'rating'] as const;
export type UserSort = (typeof USER_SORTS)[number];
export const SORT_DIRECTIONS = ['asc', 'desc'] as const;
export type SortDirection = (typeof SORT_DIRECTIONS)[number];

/** What users are sorted by, and what that needs beside `accounts a`. */
interface SortKey {
  readonly key: string;
  readonly join?: string;
  /** In the order of an index, where that is not the type's own. */
  readonly operators?: Readonly<Record<SortDirection, string>>;
}

const SORT_KEYS: Readonly<Record<UserSort, SortKey>> = {
  // The index on names compares bytes, whatever the database's language.
  name: { key: 'a.name_key', operators: { asc: 'using ~<~', desc: 'using ~>~' } },
  created: { key: 'a.created_at' },
  // What pools owe is credited when it is used, and does not count here.
  balance: {
    key: 'coalesce(b.purchased + b.earned, 0)',
    join: 'left join read.member_balance b on b.user_id = a.id::text',
  },
  rating: { key: `coalesce(r.value, ${RATING_SHOWN_BY_DEFAULT})`, join: JOIN_RATINGS },
};

/** A page's members are found first: only they are looked up whole. */
function pageSql({ sort, order }: Pick<UserPage, 'sort' | 'order'>): string {
  const { key, join = '', operators } = SORT_KEYS[sort];
  const direction = operators?.[order] ?? order;
  return `
    with page as (
      select a.id, ${key} as key from accounts a ${join}
      where ${MATCHES} order by ${key} ${direction}, a.id ${order} limit $2 offset $3)
    ${SELECT} join page on page.id = a.id order by page.key ${direction}, a.id ${order}`;
}

export interface UserPage {
  readonly search: string | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly sort: UserSort;
  readonly order: SortDirection;
}

interface UserRow {
  readonly id: string;
  readonly display_name: string;
  readonly email: string;
  readonly profile_image_url: string | null;
  readonly is_admin: boolean;
  readonly rating: string | null;
  readonly rating_count: number;
  readonly created_at: Date;
}

/** Members as admins see them, with their balances (S1 §3 User, admin view). */
@Injectable()
export class AdminUsers {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly readModels: ReadModels,
  ) {}

  async find(id: string): Promise<AdminUserDto | undefined> {
    const { rows } = await this.pool.query<UserRow>(`${SELECT} where a.id = $1 and a.closed_at is null`, [id]);
    return (await this.withBalances(rows))[0];
  }

  /** The search matches name and e-mail (`decisions.md`, Admin). */
  async list(page: UserPage): Promise<{ readonly users: AdminUserDto[]; readonly total: number }> {
    const pattern = page.search ? likePattern(searchKey(page.search)) : null;
    const [found, counted] = await Promise.all([
      this.pool.query<UserRow>(pageSql(page), [pattern, page.limit, page.offset]),
      this.pool.query<{ total: string }>(`select count(*) as total from accounts where ${MATCHES}`, [pattern]),
    ]);
    return { users: await this.withBalances(found.rows), total: Number(counted.rows[0]?.total ?? 0) };
  }

  async count(): Promise<number> {
    const { rows } = await this.pool.query<{ total: string }>(
      'select count(*) as total from accounts where closed_at is null',
    );
    return Number(rows[0]?.total ?? 0);
  }

  private async withBalances(rows: readonly UserRow[]): Promise<AdminUserDto[]> {
    const balances = await this.readModels.balances.members(rows.map(({ id }) => id));
    return rows.map((row) => {
      const balance = balances.get(row.id);
      return {
        id: row.id,
        displayName: row.display_name,
        email: row.email,
        profileImageUrl: row.profile_image_url,
        isAdmin: row.is_admin,
        novaBalance: toNova(balance?.nova ?? 0n),
        purchasedNova: toNova(balance?.purchased ?? 0n),
        earnedNova: toNova(balance?.earned ?? 0n),
        rating: shownRating(row.rating),
        ratingCount: row.rating_count,
        createdAt: row.created_at.toISOString(),
      };
    });
  }
}
