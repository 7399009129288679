import type { SortDirection } from './admin-users.js';

/** A sort key from a read model in which not every member has a row. */
export interface Standing {
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
export const aheadSql = ({ table, key }: Standing, comparison: string, order: SortDirection): string => `
  select t.user_id::uuid as id, ${key} as key from ${table} t
  where ${key} ${comparison}
    and not exists (select from member_directory c where c.closed_at is not null and c.id::text = t.user_id)
  order by key ${order}, t.user_id collate "C" ${order} limit $1 offset $2`;
