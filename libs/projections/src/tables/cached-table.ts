import type { ApplierOptions, BatchClient } from '../read-model.js';
import { columnArrays, columnNames, runInOrder, unnested, type Cell, type Column } from './statements.js';

/** Beyond so many rows the cache is emptied once it is written, where nothing else is said (`ApplierOptions`). */
const ROWS_MAX = 100_000;

/** Joins the parts of a key: no id may contain it (`isAccountId`). */
export const KEY_SEPARATOR = '\n';

interface CachedTableShape<V> extends ApplierOptions {
  readonly table: string;
  readonly key: readonly Column[];
  readonly values: readonly Column[];
  /** A value from a row as Postgres gave it, in the order of `values`. */
  readonly read: (cells: readonly string[]) => V;
  /** The cells of a value, in the order of `values`. */
  readonly cells: (value: V) => readonly Cell[];
}

/**
 * A table whose rows an applier reads and changes. Rows that it has seen stay in memory, which is right for as long as nobody
 * else writes the table: while the applier's owner holds the read model.
 */
export class CachedTable<V> {
  private rows = new Map<string, V | undefined>();
  private changed = new Set<string>();
  /** Everything in the table is in `rows`: nothing needs to be looked for. */
  private complete: boolean;
  private readonly everyRow: string;
  private readonly select: { readonly name: string; readonly text: string };
  private readonly upsert: { readonly name: string; readonly text: string };
  private readonly remove: { readonly name: string; readonly text: string };
  private readonly columns: readonly Column[];

  constructor(private readonly shape: CachedTableShape<V>) {
    const { table, key, values } = shape;
    this.complete = shape.startsEmpty;
    this.columns = [...key, ...values];
    const names = columnNames(this.columns);
    this.everyRow = `select ${this.columns.map(([name]) => `t.${name}::text`).join(', ')} from ${table} t`;
    this.select = {
      name: `load ${table}`,
      text: `${this.everyRow} join ${unnested(key)} using (${columnNames(key)})`,
    };
    this.upsert = {
      name: `store ${table}`,
      text: `insert into ${table} (${names}) select ${names} from ${unnested(this.columns)}
        order by ${columnNames(key)} on conflict (${columnNames(key)})
        do update set ${values.map(([name]) => `${name} = excluded.${name}`).join(', ')}`,
    };
    this.remove = {
      name: `remove ${table}`,
      text: `delete from ${table} where (${columnNames(key)}) in (select ${columnNames(key)} from ${unnested(key)})`,
    };
  }

  /** Makes sure that the rows of these keys, where they exist, are in memory. */
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
    const found = await client.query<string[]>({
      ...this.select,
      values: columnArrays(this.shape.key, wanted),
      rowMode: 'array',
    });
    for (const cells of found.rows) this.remember(cells);
  }

  /** As `load`, for the rows that meet a condition in SQL. */
  async loadWhere(client: BatchClient, condition: string, values: unknown[] = []): Promise<void> {
    const text = `${this.everyRow} where ${condition}`;
    const found = await client.query<string[]>({ text, values, rowMode: 'array' });
    for (const cells of found.rows) this.remember(cells);
  }

  private remember(cells: readonly string[]): void {
    const keys = this.shape.key.length;
    const key = cells.slice(0, keys).join(KEY_SEPARATOR);
    if (!this.changed.has(key)) this.rows.set(key, this.shape.read(cells.slice(keys)));
  }

  /** The row of a key that was loaded, or undefined where there is none. */
  get(key: string): V | undefined {
    return this.rows.get(key);
  }

  set(key: string, value: V): void {
    this.rows.set(key, value);
    this.changed.add(key);
  }

  /** Takes the row of a key away, where there is one. */
  delete(key: string): void {
    this.rows.set(key, undefined);
    this.changed.add(key);
  }

  /** Every row in memory. */
  entries(): IterableIterator<[string, V | undefined]> {
    return this.rows.entries();
  }

  get isComplete(): boolean {
    return this.complete;
  }

  get isFull(): boolean {
    return this.rows.size >= (this.shape.cachedRowsMax ?? ROWS_MAX);
  }

  async write(client: BatchClient): Promise<void> {
    const { changed, rows, shape } = this;
    if (changed.size > 0) {
      this.changed = new Set();
      const cells = function* (): Generator<readonly Cell[]> {
        for (const key of changed) {
          const value = rows.get(key);
          if (value !== undefined) yield [...key.split(KEY_SEPARATOR), ...shape.cells(value)];
        }
      };
      const gone = [...changed].filter((key) => rows.get(key) === undefined).map((key) => key.split(KEY_SEPARATOR));
      await runInOrder(client, [
        async (to) => {
          if (gone.length < changed.size)
            await to.query({ ...this.upsert, values: columnArrays(this.columns, cells()) });
        },
        async (to) => {
          if (gone.length > 0) await to.query({ ...this.remove, values: columnArrays(shape.key, gone) });
        },
      ]);
    }
    if (this.isFull) {
      this.rows = new Map();
      this.complete = false;
    }
  }
}
