import { idLiteral, idOf } from './id-bytes.js';
import { type Cell, type Column, columnNames } from './statements.js';

/** A type of columns. `V`: values as appliers write and load them; `Q`: as queries return them. */
export interface ColumnType<V extends Cell = Cell, Q = unknown> {
  /** In a cast. */
  readonly sql: string;
  /** In the declaration of its table, if that differs. */
  readonly ddl?: string;
  readonly isNullable?: true;
  /** Numbers that batches add to (`DeltaTable`). */
  readonly isSum?: true;
  /** What appliers write as what Postgres takes; unchanged if absent. */
  readonly toCell?: (value: never) => Cell;
  /** A value from its text in Postgres. */
  readonly ofText: (text: string) => V;
  /** A value from the driver's value; unchanged if absent. */
  readonly ofDriver?: (given: never) => Q;
}

const asText = (value: string): string => value;

/** Words and ids, in the order of their bytes. */
export const text: ColumnType<string, string> = { sql: 'text', ddl: 'text collate "C"', ofText: asText };
/** `text` that holds only certain words. */
export const textOf = <T extends string>(): ColumnType<T, T> => ({
  sql: 'text',
  ddl: 'text collate "C"',
  ofText: (value) => value as T,
});
/** Text that nobody sorts or searches. */
export const looseText: ColumnType<string, string> = { sql: 'text', ofText: asText };
/**
 * Ids of the journal in as few bytes as they need (`id-bytes`), in tables with a row for each event. Queries compare them with
 * `idBytes`, and with UUIDs of other tables by `uuid_send`.
 */
export const idAsBytes: ColumnType<string, string> = {
  sql: 'bytea',
  toCell: idLiteral,
  ofText: (literal) => idOf(Buffer.from(literal.slice(2), 'hex')),
  ofDriver: idOf,
};
export const uuid: ColumnType<string, string> = { sql: 'uuid', ofText: asText };
/** `\x` and hex digits. */
export const bytea: ColumnType<string, string> = { sql: 'bytea', ofText: asText };
/** `2026-01-31`, also to queries that cast it to text. */
export const date: ColumnType<string, string> = { sql: 'date', ofText: asText };
export const boolean: ColumnType<boolean, boolean> = { sql: 'boolean', ofText: (value) => value === 'true' };
export const smallint: ColumnType<number, number> = { sql: 'smallint', ofText: Number };
export const integer: ColumnType<number, number> = { sql: 'integer', ofText: Number };
export const double: ColumnType<number, number> = { sql: 'double precision', ofText: Number };
/** Amounts and sums. */
export const bigint: ColumnType<bigint, bigint> = { sql: 'bigint', isSum: true, ofText: BigInt, ofDriver: BigInt };
/** Amounts that are seldom other than zero: then they take no room. */
export const mostlyZero: ColumnType<bigint, bigint> = {
  sql: 'bigint',
  isNullable: true,
  toCell: (value: bigint) => (value === 0n ? null : value),
  ofText: BigInt,
  ofDriver: (given: string | null) => BigInt(given ?? 0),
};
/** Revisions, milliseconds and counts. */
export const safeInteger: ColumnType<number, number> = { sql: 'bigint', ofText: Number, ofDriver: Number };
/** Whole numbers of any size. */
export const numeric: ColumnType<bigint, bigint> = { sql: 'numeric', isSum: true, ofText: BigInt, ofDriver: BigInt };
/** With two decimals, up to 99.99. */
export const hundredths: ColumnType<number, number> = {
  sql: 'numeric',
  ddl: 'numeric(4, 2)',
  ofText: Number,
  ofDriver: Number,
};
/** Appliers get times as the text that events carry for Postgres. */
export const timestamp: ColumnType<string, Date> = { sql: 'timestamptz', ofText: asText };

export const nullable = <V extends Cell, Q>(type: ColumnType<V, Q>): ColumnType<V | null, Q | null> => {
  const { ofDriver } = type;
  return {
    ...type,
    isNullable: true,
    ...(ofDriver && { ofDriver: (given: never) => (given === null ? null : ofDriver(given)) }),
  };
};

/** A column that has a value in every row, without a constraint that says so. */
export const unguarded = <V extends Cell, Q>(type: ColumnType<V, Q>): ColumnType<V, Q> => ({
  ...type,
  isNullable: true,
});

export type Columns = Readonly<Record<string, ColumnType>>;

/** A row as appliers write it. */
export type Row<C extends Columns> = { readonly [N in keyof C]: C[N] extends ColumnType<infer V> ? V : never };
/** A row of a table, as appliers write it. */
export type RowOf<T> = T extends Table<infer C, infer _> ? Row<C> : never;
/** A row as queries return it. */
export type ReadRow<C extends Columns> = {
  readonly [N in keyof C]: C[N] extends ColumnType<infer _, infer Q> ? Q : never;
};

interface Declaration<C extends Columns, K extends keyof C> {
  readonly columns: C;
  /** The primary key. */
  readonly key?: readonly K[];
  /** The key is created once a rebuild has filled the table, because writing does not need it. */
  readonly isKeyLast?: boolean;
  /** Columns that the key's index carries along. */
  readonly included?: readonly (keyof C)[];
  /** How full pages are filled, in percent, so that rows that change often stay in their page. */
  readonly fillfactor?: number;
  /** Indexes that only reading needs, by name: the part of the declaration after the table's name. */
  readonly indexes?: Readonly<Record<string, string>>;
}

/** A column by its name in code (`senderId`) and in the database (`sender_id`). */
export interface NamedColumn {
  readonly name: string;
  readonly column: Column;
  readonly type: ColumnType;
}

const inSql = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns of a table for queries. */
export class Selection<R extends object> {
  private readonly decoded: readonly (readonly [name: string, ofDriver: (given: never) => unknown])[];

  constructor(private readonly columns: readonly NamedColumn[]) {
    this.decoded = columns.flatMap(({ name, type: { ofDriver } }) => (ofDriver ? [[name, ofDriver] as const] : []));
  }

  /** The list after `select`. @param alias of the table in the query */
  of(alias: string): string {
    return this.columns.map(({ name, column: [column] }) => `${alias}.${column} as "${name}"`).join(', ');
  }

  /** Converts a row of the driver. Changes it in place, because there may be many. */
  read(given: Record<string, unknown>): R {
    for (const [name, ofDriver] of this.decoded) given[name] = ofDriver(given[name] as never);
    return given as R;
  }
}

/** A row that a query returns. */
export type Selected<S> = S extends Selection<infer R> ? R : never;

/** A table of a read model: everything about it follows from one declaration. */
export class Table<C extends Columns = Columns, K extends keyof C = keyof C> {
  readonly columns: readonly NamedColumn[];
  /** In the order of the key. */
  readonly key: readonly NamedColumn[];
  /** All others. */
  readonly values: readonly NamedColumn[];
  /** With the key that writing needs. */
  readonly ddl: string;
  readonly indexes: string;

  constructor(
    readonly name: string,
    { columns, key = [], isKeyLast = false, included = [], fillfactor, indexes = {} }: Declaration<C, K>,
  ) {
    this.columns = Object.entries(columns).map(([n, type]) => ({ name: n, column: [inSql(n), type.sql], type }));
    this.key = this.named(key);
    this.values = this.columns.filter((column) => !this.key.includes(column));
    const names = (some: readonly (keyof C)[]): string => columnNames(columnsOf(this.named(some)));
    const carried = included.length > 0 ? ` include (${names(included)})` : '';
    const primaryKey = key.length > 0 ? [`primary key (${names(key)})${carried}`] : [];
    const lines = this.columns.map(
      ({ column: [n, sql], type: { ddl = sql, isNullable } }) => `${n} ${ddl}${isNullable ? '' : ' not null'}`,
    );
    const room = fillfactor === undefined ? '' : ` with (fillfactor = ${fillfactor})`;
    this.ddl = `create table ${name} (${[...lines, ...(isKeyLast ? [] : primaryKey)].join(', ')})${room};`;
    this.indexes = [
      ...(isKeyLast ? primaryKey.map((added) => `alter table ${name} add ${added};`) : []),
      ...Object.entries(indexes).map(([index, rest]) => `create index ${index} on ${name} ${rest};`),
    ].join('\n');
  }

  /** These columns for queries; all of them if none is named. */
  select<N extends keyof C & string = keyof C & string>(...names: readonly N[]): Selection<Pick<ReadRow<C>, N>> {
    return new Selection(names.length > 0 ? this.named(names) : this.columns);
  }

  /** Parses the cells of `values`, given as Postgres text. */
  valuesIn(cells: readonly (string | null)[]): Omit<Row<C>, K> {
    const row: Record<string, Cell> = {};
    for (const [index, { name, type }] of this.values.entries()) {
      const cell = cells[index] ?? null;
      row[name] = cell === null ? null : type.ofText(cell);
    }
    return row as Omit<Row<C>, K>;
  }

  private named(names: readonly (keyof C)[]): NamedColumn[] {
    return names.flatMap((wanted) => this.columns.filter(({ name }) => name === wanted));
  }
}

export const columnsOf = (named: readonly NamedColumn[]): Column[] => named.map(({ column }) => column);

/** The cells of rows, one row at a time, in the order of the columns. */
export const cellsOf = (named: readonly NamedColumn[]): ((row: object) => Cell[]) => {
  const columns = named.map(({ name, type: { toCell } }) => [name, toCell] as const);
  return (row) => {
    const cells: Cell[] = [];
    for (const [name, toCell] of columns) {
      const value = (row as Readonly<Record<string, Cell>>)[name] ?? null;
      cells.push(toCell && value !== null ? toCell(value as never) : value);
    }
    return cells;
  };
};

/** The parts of a read model that describe its tables to the runner. */
export const tablesOf = (...tables: readonly Pick<Table, 'name' | 'ddl' | 'indexes'>[]) => ({
  tables: tables.map(({ name }) => name),
  ddl: tables.map(({ ddl }) => ddl).join('\n'),
  indexes: tables.map(({ indexes }) => indexes).join('\n'),
});
