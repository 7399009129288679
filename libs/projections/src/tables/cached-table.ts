import type { ApplierOptions, BatchClient } from '../read-model.js';
import { columnArrays, columnNames, runInOrder, unnested, type Cell, type Column } from './statements.js';
import { cellsOf, columnsOf, type Columns, type Row, type Table } from './table.js';

/** Beyond this number of rows, the cache is emptied once it is written, unless `ApplierOptions` sets another limit. */
const ROWS_MAX = 100_000;

/** Joins the parts of a key: no id may contain it (`isAccountId`). */
export const KEY_SEPARATOR = '\n';

/** The columns of a row other than its key. */
export type Values<C extends Columns, K extends keyof C> = Omit<Row<C>, K>;
/** The cache of a table. */
export type Cached<T> = T extends Table<infer C, infer K> ? CachedTable<C, K> : never;

/**
 * A table whose rows an applier reads and changes. Rows that it has seen stay in memory. That is correct while nobody
 * else writes the table: as long as the applier's owner holds the read model.
 */
export class CachedTable<C extends Columns, K extends keyof C> {
  private rows = new Map<string, Values<C, K> | undefined>();
  private changed = new Set<string>();
  /** Whether `rows` holds the whole table, so that no look-ups are needed. */
  private complete: boolean;
  private readonly rowsMax: number;
  private readonly everyRow: string;
  private readonly select: { readonly name: string; readonly text: string };
  private readonly upsert: { readonly name: string; readonly text: string };
  private readonly remove: { readonly name: string; readonly text: string };
  private readonly key: readonly Column[];
  private readonly columns: readonly Column[];
  private readonly cells: (values: Values<C, K>) => Cell[];

  constructor(
    private readonly table: Table<C, K>,
    { startsEmpty, cachedRowsMax = ROWS_MAX }: ApplierOptions,
  ) {
    this.complete = startsEmpty;
    this.rowsMax = cachedRowsMax;
    this.key = columnsOf(table.key);
    this.columns = [...this.key, ...columnsOf(table.values)];
    this.cells = cellsOf(table.values);
    const [{ name }, key, names] = [table, columnNames(this.key), columnNames(this.columns)];
    this.everyRow = `select ${this.columns.map(([column]) => `t.${column}::text`).join(', ')} from ${name} t`;
    this.select = { name: `load ${name}`, text: `${this.everyRow} join ${unnested(this.key)} using (${key})` };
    this.upsert = {
      name: `store ${name}`,
      text: `insert into ${name} (${names}) select ${names} from ${unnested(this.columns)}
        order by ${key} on conflict (${key})
        do update set ${table.values.map(({ column: [column] }) => `${column} = excluded.${column}`).join(', ')}`,
    };
    this.remove = {
      name: `remove ${name}`,
      text: `delete from ${name} where (${key}) in (select ${key} from ${unnested(this.key)})`,
    };
  }

  /** Loads the rows of these keys that exist. */
  async load(client: BatchClient, keys: Iterable<string>): Promise<void> {
    if (this.complete) return;
    const missing: string[] = [];
    for (const key of keys) {
      if (this.rows.has(key)) continue;
      this.rows.set(key, undefined);
      missing.push(key);
    }
    if (missing.length === 0) return;
    const wanted = missing.map((key) => key.split(KEY_SEPARATOR));
    const found = await client.query<(string | null)[]>({
      ...this.select,
      values: columnArrays(this.key, wanted),
      rowMode: 'array',
    });
    for (const cells of found.rows) this.remember(cells);
  }

  /** Loads the whole table. */
  async loadAll(client: BatchClient): Promise<void> {
    if (this.complete) return;
    await this.loadWhere(client, 'true');
    this.complete = true;
  }

  /** As `load`, for rows that meet a condition in SQL. */
  async loadWhere(client: BatchClient, condition: string, values: unknown[] = []): Promise<void> {
    const text = `${this.everyRow} where ${condition}`;
    const found = await client.query<(string | null)[]>({ text, values, rowMode: 'array' });
    for (const cells of found.rows) this.remember(cells);
  }

  private remember(cells: readonly (string | null)[]): void {
    const key = cells.slice(0, this.key.length).join(KEY_SEPARATOR);
    if (!this.changed.has(key)) this.rows.set(key, this.table.valuesIn(cells.slice(this.key.length)));
  }

  /**
   * The row of a loaded key; undefined if there is none.
   * @throws Error it was not loaded: there may be a row that only the database knows
   */
  get(key: string): Values<C, K> | undefined {
    const row = this.rows.get(key);
    if (row === undefined && !this.complete && !this.rows.has(key)) {
      throw new Error(`${this.table.name}: ${JSON.stringify(key)} was not loaded`);
    }
    return row;
  }

  set(key: string, value: Values<C, K>): void {
    this.rows.set(key, value);
    this.changed.add(key);
  }

  /** Removes the row of a key, if there is one. */
  delete(key: string): void {
    this.rows.set(key, undefined);
    this.changed.add(key);
  }

  /** Every row in memory. */
  entries(): IterableIterator<[string, Values<C, K> | undefined]> {
    return this.rows.entries();
  }

  get isComplete(): boolean {
    return this.complete;
  }

  get isFull(): boolean {
    return this.rows.size >= this.rowsMax;
  }

  async write(client: BatchClient): Promise<void> {
    const { changed, rows, cells: cellsOfValues } = this;
    if (changed.size > 0) {
      this.changed = new Set();
      const cells = function* (): Generator<readonly Cell[]> {
        for (const key of changed) {
          const value = rows.get(key);
          if (value !== undefined) yield [...key.split(KEY_SEPARATOR), ...cellsOfValues(value)];
        }
      };
      const gone = [...changed].filter((key) => rows.get(key) === undefined).map((key) => key.split(KEY_SEPARATOR));
      await runInOrder(client, [
        async (to) => {
          if (gone.length < changed.size)
            await to.query({ ...this.upsert, values: columnArrays(this.columns, cells()) });
        },
        async (to) => {
          if (gone.length > 0) await to.query({ ...this.remove, values: columnArrays(this.key, gone) });
        },
      ]);
    }
    if (this.isFull) {
      this.rows = new Map();
      this.complete = false;
    }
  }
}
