import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { RATING_SHOWN_BY_DEFAULT } from '../identity/limits.js';
import { JOIN_RATINGS, RATING_COLUMNS, shownRating } from '../identity/member-ratings.js';
import { InjectPool } from '../platform/database/database.module.js';
import { memberPatterns } from '../platform/text.js';
import { Uploads } from '../platform/uploads/uploads.js';
import { toNova } from '../wallet/nova-amount.js';
import { ReadModels } from '../wallet/read-models.js';
import type { AdminUserDto } from './admin.dto.js';

/** A sort key from a read model in which not every member has a row. */
interface Standing {
  /** A table with a text `user_id`, and what of a row `t` counts. */
  readonly table: string;
  readonly key: string;
  /** Which rows come before everybody who has none, in each order; absent where none can. */
  readonly ahead: Readonly<Partial<Record<SortDirection, string>>>;
}

/**
 * The members ahead of all who have no row, in order, as `id` and `key`; `$1` is the size of the page, `$2` how many come before.
 * It is the whole page or its beginning. Ten of a hundred thousand are wanted: holding all accounts against the read model, as
 * the rest of the order needs it, takes twice as long.
 */
const aheadSql = ({ table, key }: Standing, comparison: string, order: SortDirection): string => `
  select t.user_id::uuid as id, ${key} as key from ${table} t
  where ${key} ${comparison}
    and not exists (select from member_directory c where c.closed_at is not null and c.id::text = t.user_id)
  order by key ${order}, t.user_id collate "C" ${order} limit $1 offset $2`;

const SELECT = `
  select a.id, a.display_name, a.email, a.profile_image_url, a.is_admin, a.created_at, ${RATING_COLUMNS}
  from member_directory a ${JOIN_RATINGS}`;

const MATCHES = `closed_at is null and ($1::text is null or name_key like $1 escape '\\' or email_key like $2 escape '\\')`;

/** Both come from an index alone. */
const COUNT = `
  select (select count(*) from member_directory) - (select count(*) from member_directory where closed_at is not null) as total`;

export const USER_SORTS = ['name', 'created', 'balance', 'rating'] as const;
export type UserSort = (typeof USER_SORTS)[number];
export const SORT_DIRECTIONS = ['asc', 'desc'] as const;
export type SortDirection = (typeof SORT_DIRECTIONS)[number];

/** What users are sorted by, and what that needs beside `member_directory a`. */
interface SortKey {
  readonly key: string;
  readonly join?: string;
  /** Where it is a read model's. */
  readonly standing?: Standing;
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
    standing: { table: 'read.member_balance', key: 't.purchased + t.earned', ahead: { desc: '> 0' } },
  },
  rating: {
    key: `coalesce(r.value, ${RATING_SHOWN_BY_DEFAULT})`,
    join: JOIN_RATINGS,
    standing: {
      table: 'read.member_ratings',
      key: 't.value',
      ahead: { desc: `> ${RATING_SHOWN_BY_DEFAULT}`, asc: `< ${RATING_SHOWN_BY_DEFAULT}` },
    },
  },
};

/** Finds a page's members first, and looks up only these completely. */
function pageSql({ sort, order }: UserPage): string {
  const { key, join = '', operators } = SORT_KEYS[sort];
  const direction = operators?.[order] ?? order;
  return `
    with page as (
      select a.id, ${key} as key from member_directory a ${join}
      where ${MATCHES} order by ${key} ${direction}, a.id ${order} limit $3 offset $4)
    ${SELECT} join page on page.id = a.id order by page.key ${direction}, a.id ${order}`;
}

const patternsOf = (search: string | undefined): readonly (string | null)[] =>
  search ? memberPatterns(search) : [null, null];

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

/** Members as admins see them, with their balances (rule admin-6). */
@Injectable()
export class AdminUsers {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly readModels: ReadModels,
    private readonly uploads: Uploads,
  ) {}

  async find(id: string): Promise<AdminUserDto | undefined> {
    const { rows } = await this.pool.query<UserRow>(`${SELECT} where a.id = $1 and a.closed_at is null`, [id]);
    return (await this.withBalances(rows))[0];
  }

  /** The search matches name and e-mail (rule admin-6). */
  async list(page: UserPage): Promise<{ readonly users: AdminUserDto[]; readonly total: number }> {
    const [found, total] = await Promise.all([this.page(page), this.count(page.search)]);
    return { users: await this.withBalances(found), total };
  }

  private async page(page: UserPage): Promise<readonly UserRow[]> {
    const ahead = page.search ? [] : await this.ahead(page);
    if (ahead.length === page.limit) return ahead;
    const { rows } = await this.pool.query<UserRow>(pageSql(page), [
      ...patternsOf(page.search),
      page.limit,
      page.offset,
    ]);
    return rows;
  }

  private async ahead({ sort, order, limit, offset }: UserPage): Promise<readonly UserRow[]> {
    const { standing } = SORT_KEYS[sort];
    const comparison = standing?.ahead[order];
    if (!standing || !comparison) return [];
    const { rows } = await this.pool.query<UserRow>(
      `with page as (${aheadSql(standing, comparison, order)})
       ${SELECT} join page on page.id = a.id order by page.key ${order}, a.id ${order}`,
      [limit, offset],
    );
    return rows;
  }

  /** Members who are not closed, those whom a search finds where there is one. */
  async count(search?: string): Promise<number> {
    const { rows } = await (search
      ? this.pool.query<{ total: string }>(`select count(*) as total from member_directory where ${MATCHES}`, [
          ...patternsOf(search),
        ])
      : this.pool.query<{ total: string }>(COUNT));
    return Number(rows[0]?.total ?? 0);
  }

  private async withBalances(rows: readonly UserRow[]): Promise<AdminUserDto[]> {
    const ids = rows.map(({ id }) => id);
    const [balances, usage] = await Promise.all([this.readModels.balances.members(ids), this.uploads.usageOf(ids)]);
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
        owedNova: toNova(balance?.owed ?? 0n),
        rating: shownRating(row.rating),
        ratingCount: row.rating_count,
        fileCount: usage.get(row.id)?.files ?? 0,
        fileBytes: usage.get(row.id)?.bytes ?? 0,
        createdAt: row.created_at.toISOString(),
      };
    });
  }
}
