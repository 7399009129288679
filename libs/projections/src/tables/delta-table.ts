import type { BatchClient } from '../read-model.js';
import { columnArrays, columnNames, unnested, type Cell, type Column } from './statements.js';

/** Beyond so many rows the sums are written before the batch ends. */
const ROWS_MAX = 50_000;

interface DeltaTableShape {
  readonly table: string;
  readonly key: readonly Column[];
  /** The key's columns that are unique, where it carries others along. */
  readonly conflict?: readonly string[];
  readonly sums: readonly Column[];
}

/**
 * A table of sums by key. It never reads: what a batch adds is gathered here and added in Postgres by one upsert.
 */
export class DeltaTable {
  private rows = new Map<string, { readonly key: readonly Cell[]; readonly sums: bigint[] }>();
  private readonly columns: readonly Column[];
  private readonly zero: readonly bigint[];
  private readonly upsert: { readonly name: string; readonly text: string };

  constructor({ table, key, conflict, sums }: DeltaTableShape) {
    this.columns = [...key, ...sums];
    this.zero = sums.map(() => 0n);
    const names = columnNames(this.columns);
    const unique = conflict?.join(', ') ?? columnNames(key);
    const added = sums.map(([name]) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');
    this.upsert = {
      name: `add ${table}`,
      text: `insert into ${table} (${names}) select ${names} from ${unnested(this.columns)}
        order by ${unique} on conflict (${unique}) do update set ${added}`,
    };
  }

  /** The sums of one key, to be added to in place; in the order of the columns. */
  at(id: string, key: readonly Cell[] = [id]): bigint[] {
    const known = this.rows.get(id);
    if (known) return known.sums;
    const sums = [...this.zero];
    this.rows.set(id, { key, sums });
    return sums;
  }

  /** Adds to one sum of one key. */
  add(id: string, column: number, delta: bigint): void {
    const sums = this.at(id);
    sums[column] = (sums[column] ?? 0n) + delta;
  }

  get isFull(): boolean {
    return this.rows.size >= ROWS_MAX;
  }

  async write(client: BatchClient): Promise<void> {
    if (this.rows.size === 0) return;
    const { rows } = this;
    this.rows = new Map();
    const cells = function* (): Generator<readonly Cell[]> {
      for (const { key, sums } of rows.values()) yield [...key, ...sums];
    };
    await client.query({ ...this.upsert, values: columnArrays(this.columns, cells()) });
  }
}
