import type { BatchClient } from '../read-model.js';
import { KEY_SEPARATOR } from '../tables/cached-table.js';
import { columnArrays, columnNames, runInOrder, unnested, type Column } from '../tables/statements.js';
import { columnsOf, type Table } from '../tables/table.js';

/** Beyond so many changes they are written before the batch ends. */
const ROWS_MAX = 5_000;

/** A table of pairs with the time since when: rows come and go. It never reads. */
export class RelationTable {
  /** What the last event of each pair has made of it: null where it is gone. */
  private changes = new Map<string, string | null>();
  private readonly upsert: { readonly name: string; readonly text: string };
  private readonly remove: { readonly name: string; readonly text: string };
  private readonly key: readonly Column[];
  private readonly columns: readonly Column[];

  constructor({ name: table, key, columns }: Pick<Table, 'name' | 'key' | 'columns'>) {
    this.key = columnsOf(key);
    this.columns = columnsOf(columns);
    const [names, pair] = [columnNames(this.columns), columnNames(this.key)];
    this.upsert = {
      name: `relate ${table}`,
      text: `insert into ${table} (${names}) select ${names} from ${unnested(this.columns)}
        order by ${pair} on conflict (${pair}) do update set since = excluded.since`,
    };
    this.remove = {
      name: `part ${table}`,
      text: `delete from ${table} where (${pair}) in (select ${pair} from ${unnested(this.key)})`,
    };
  }

  relate(one: string, other: string, since: string): void {
    this.changes.set(one + KEY_SEPARATOR + other, since);
  }

  part(one: string, other: string): void {
    this.changes.set(one + KEY_SEPARATOR + other, null);
  }

  get isFull(): boolean {
    return this.changes.size >= ROWS_MAX;
  }

  async write(client: BatchClient): Promise<void> {
    const related: string[][] = [];
    const parted: string[][] = [];
    for (const [pair, since] of this.changes) {
      const ids = pair.split(KEY_SEPARATOR);
      if (since === null) parted.push(ids);
      else related.push([...ids, since]);
    }
    this.changes = new Map();
    await runInOrder(client, [
      async (to) => {
        if (parted.length > 0) await to.query({ ...this.remove, values: columnArrays(this.key, parted) });
      },
      async (to) => {
        if (related.length > 0) await to.query({ ...this.upsert, values: columnArrays(this.columns, related) });
      },
    ]);
  }
}
