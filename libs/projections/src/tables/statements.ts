import type { BatchClient } from '../read-model.js';

export type Cell = string | number | bigint | boolean | null;
export type Column = readonly [name: string, type: string];

/** Text that needs no quotes in an array literal. */
const PLAIN = /^[\w:.@+-]+$/;
const NULL_WORD = /^null$/i;

function element(cell: Cell): string {
  if (cell === null) return 'NULL';
  if (typeof cell !== 'string') return String(cell);
  if (PLAIN.test(cell) && !NULL_WORD.test(cell)) return cell;
  return `"${cell.replace(/[\\"]/g, '\\$&')}"`;
}

/**
 * Rows as one array literal for each column, for `unnest`. One prepared statement takes any number of rows, at a
 * fraction of the cost of JSON on both sides.
 */
export function columnArrays(columns: readonly Column[], rows: Iterable<readonly Cell[]>): string[] {
  const texts = columns.map(() => '');
  for (const row of rows) {
    for (let index = 0; index < texts.length; index++) texts[index] += `,${element(row[index] ?? null)}`;
  }
  return texts.map((text) => `{${text.slice(1)}}`);
}

/** The rows of `columnArrays` as a table called `r`; the parameters are the statement's first ones. */
export const unnested = (columns: readonly Column[]): string =>
  `unnest(${columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')}) as r (${columnNames(columns)})`;

export const columnNames = (columns: readonly Column[]): string => columns.map(([name]) => name).join(', ');

/** Whether the client takes statements before it has answered earlier ones (and therefore takes no COPY). */
export const isPipelined = (client: BatchClient): boolean => client.pipeline;

export interface WritableTable {
  /** Whether enough has gathered to be written before the batch ends. */
  readonly isFull: boolean;
  write(client: BatchClient): Promise<void>;
  /** Present if `write` does not wait for the end of its writes on a plain client. */
  written?(): Promise<void>;
}

/** Writes the tables of an applier in order: all of them, or (`full`) only those in which much has gathered. */
export async function writeTables(
  client: BatchClient,
  tables: readonly WritableTable[],
  which: 'all' | 'full',
): Promise<void> {
  const due = which === 'all' ? tables : tables.filter(({ isFull }) => isFull);
  await runInOrder(
    client,
    due.map((table) => (to) => table.write(to)),
  );
  if (which === 'all') for (const table of due) await table.written?.();
}

/** Runs writes in order: all at once on a pipelined client, one after the other on a plain one. */
export async function runInOrder(
  client: BatchClient,
  writes: readonly ((client: BatchClient) => Promise<unknown>)[],
): Promise<void> {
  if (isPipelined(client)) {
    await Promise.all(writes.map((write) => write(client)));
    return;
  }
  for (const write of writes) await write(client);
}
