/** Every area's `AreaTables`, for Nest. */
export const TABLES = Symbol('TABLES');

/** What becomes of a table's rows when an account is erased (rule accounts-23). */
export type OnErasure =
  /** Statements, in order; `$1` is the account's id. */
  | { readonly erase: readonly string[] }
  /** The eraser that takes them away (`AccountErasure`), or the table whose rows they go with. */
  | { readonly goesWith: string }
  /** Why they stay. */
  | { readonly kept: string }
  /** They name no account. */
  | 'nobody';

/** The tables of an area. Its folder alone names them in SQL; others ask its code, or read a directory. */
export interface AreaTables {
  /** Beneath `apps/api/src`. */
  readonly folder: string;
  readonly tables: Readonly<Record<string, OnErasure>>;
  /** Views that the area publishes for joins and look-ups. Columns are added to them, and never taken away. */
  readonly directories?: readonly string[];
}

/** What takes an account's rows away, in order. */
export const erasingStatements = (areas: readonly AreaTables[]): string[] =>
  areas.flatMap(({ tables }) =>
    Object.values(tables).flatMap((rule) => (rule !== 'nobody' && 'erase' in rule ? rule.erase : [])),
  );

/** For a table that says by a column whose its rows are. */
export const erasedBy = (table: string, column: string): OnErasure => ({
  erase: [`delete from ${table} where ${column} = $1`],
});
