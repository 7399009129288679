import type { Client } from 'pg';

export type Cell = string | number | bigint | boolean | null;
export type Column = readonly [name: string, type: string];

/** Rows for `json_to_recordset`, which takes any number of rows as one parameter of one prepared statement. */
export function recordset(columns: readonly Column[], rows: Iterable<readonly Cell[]>): string {
  const names = columns.map(([name]) => name);
  const objects: Record<string, Cell>[] = [];
  for (const row of rows) {
    const object: Record<string, Cell> = {};
    for (const [index, name] of names.entries()) {
      const cell = row[index] ?? null;
      object[name] = typeof cell === 'bigint' ? cell.toString() : cell;
    }
    objects.push(object);
  }
  return JSON.stringify(objects);
}

export const columnNames = (columns: readonly Column[]): string => columns.map(([name]) => name).join(', ');

export const recordsetColumns = (columns: readonly Column[]): string =>
  columns.map(([name, type]) => `${name} ${type}`).join(', ');

/** True when the client takes statements before it answered the ones in front of them (and therefore no COPY). */
export const isPipelined = (client: Client): boolean => client.pipeline;

export interface WritableTable {
  /** Enough has gathered to be written before the batch ends. */
  readonly isFull: boolean;
  write(client: Client): Promise<void>;
}

/** Writes the tables of an applier in order: all of them, or (`full`) those in which much has gathered. */
export async function writeTables(
  client: Client,
  tables: readonly WritableTable[],
  which: 'all' | 'full',
): Promise<void> {
  const due = which === 'all' ? tables : tables.filter(({ isFull }) => isFull);
  await runInOrder(
    client,
    due.map((table) => (to) => table.write(to)),
  );
}

/** Runs writes in order: all at once on a pipelined client, one after the other on a plain one. */
export async function runInOrder(
  client: Client,
  writes: readonly ((client: Client) => Promise<unknown>)[],
): Promise<void> {
  if (isPipelined(client)) {
    await Promise.all(writes.map((write) => write(client)));
    return;
  }
  for (const write of writes) await write(client);
}
