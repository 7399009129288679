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

interface Row {
  readonly key: readonly Cell[];
  readonly sums: bigint[];
}

/**
 * A table of sums by key. It never reads: what a batch adds is gathered here and added in Postgres by one upsert.
 */
export class DeltaTable {
  private rows = new Map<string, Row>();
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

  /**
   * Adds to one sum of one row.
   * @param id tells the row from others
   * @param column which sum, by its place
   */
  add(id: string, column: number, delta: bigint, key: readonly Cell[] = [id]): void {
    const sums = this.sumsOf(id, key);
    sums[column] = (sums[column] ?? 0n) + delta;
  }

  /** Adds to all sums of one row, in their order. */
  addAll(id: string, deltas: readonly bigint[], key: readonly Cell[] = [id]): void {
    const sums = this.sumsOf(id, key);
    for (const [column, delta] of deltas.entries()) sums[column] = (sums[column] ?? 0n) + delta;
  }

  private sumsOf(id: string, key: readonly Cell[]): bigint[] {
    const found = this.rows.get(id);
    if (found) return found.sums;
    const sums = [...this.zero];
    this.rows.set(id, { key, sums });
    return sums;
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
