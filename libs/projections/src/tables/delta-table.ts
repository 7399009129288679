import type { BatchClient } from '../read-model.js';
import { columnArrays, columnNames, unnested, type Cell, type Column } from './statements.js';
import { columnsOf, type Columns, type ColumnType, type Table } from './table.js';

/** Beyond this number of rows, the sums are written before the batch ends. */
const ROWS_MAX = 50_000;

/** Columns that are added to. */
type Sums<C extends Columns> = { [N in keyof C]: C[N] extends ColumnType<bigint> ? N : never }[keyof C] & string;

interface Row {
  readonly key: readonly Cell[];
  readonly sums: bigint[];
}

/** A table of sums by key. It never reads: it gathers what a batch adds, and one upsert adds that in Postgres. */
export class DeltaTable<C extends Columns> {
  private rows = new Map<string, Row>();
  private readonly columns: readonly Column[];
  private readonly zero: readonly bigint[];
  private readonly places: ReadonlyMap<string, number>;
  private readonly upsert: { readonly name: string; readonly text: string };

  constructor({ name, columns, key, values }: Table<C>) {
    const sums = values.filter(({ type }) => type.isSum);
    this.columns = columnsOf([...columns.filter((column) => !sums.includes(column)), ...sums]);
    this.zero = sums.map(() => 0n);
    this.places = new Map(sums.map((sum, place) => [sum.name, place]));
    const [names, unique] = [columnNames(this.columns), columnNames(columnsOf(key))];
    const added = sums.map(({ column: [sum] }) => `${sum} = ${name}.${sum} + excluded.${sum}`).join(', ');
    this.upsert = {
      name: `add ${name}`,
      text: `insert into ${name} (${names}) select ${names} from ${unnested(this.columns)}
        order by ${unique} on conflict (${unique}) do update set ${added}`,
    };
  }

  /**
   * Adds to one sum of one row.
   * @param id identifies the row
   * @param key the cells of the columns that are not sums
   */
  add(id: string, sum: Sums<C>, delta: bigint, key: readonly Cell[] = [id]): void {
    const sums = this.sumsOf(id, key);
    const place = this.places.get(sum) ?? 0;
    sums[place] = (sums[place] ?? 0n) + delta;
  }

  /** Adds to several sums of one row. */
  addAll(id: string, deltas: Readonly<Partial<Record<Sums<C>, bigint>>>, key: readonly Cell[] = [id]): void {
    for (const [sum, delta] of Object.entries<bigint | undefined>(deltas))
      this.add(id, sum as Sums<C>, delta ?? 0n, key);
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
