import type { TakeoutLists } from './takeout-lists.js';

/** Injects every area's `AreaTables`. */
export const TABLES = Symbol('TABLES');

/** What becomes of a table's rows when an account is erased (rule accounts-23). */
export type OnErasure =
  /** Statements, in order; `$1` is the account's id. */
  | { readonly erase: readonly string[] }
  /** The eraser that erases them (`AccountErasure`), or the table whose rows they are erased with. */
  | { readonly goesWith: string }
  /** Why they stay. */
  | { readonly kept: string }
  /** No row names an account. */
  | 'nobody';

/** The tables of an area. Only its folder names them in SQL; other areas call its code or read a directory. */
export interface AreaTables {
  /** Beneath `apps/api/src`. */
  readonly folder: string;
  readonly tables: Readonly<Record<string, OnErasure>>;
  /** What a member takes out of them. */
  readonly takeout?: TakeoutLists;
  /** Views that the area publishes for joins and look-ups. They gain columns and never lose one. */
  readonly directories?: readonly string[];
  /** Views of its own, which other areas name as little as its tables. */
  readonly views?: readonly string[];
}

/** The statements that erase an account's rows, in order. */
export const erasingStatements = (areas: readonly AreaTables[]): string[] =>
  areas.flatMap(({ tables }) =>
    Object.values(tables).flatMap((rule) => (rule !== 'nobody' && 'erase' in rule ? rule.erase : [])),
  );

/** For a table with a column that holds the account's id. */
export const erasedBy = (table: string, column: string): OnErasure => ({
  erase: [`delete from ${table} where ${column} = $1`],
});
