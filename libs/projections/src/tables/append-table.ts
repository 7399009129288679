import { finished } from 'node:stream/promises';
import type { BatchClient } from '../read-model.js';
import { from as copyFrom } from 'pg-copy-streams';
import { columnArrays, columnNames, isPipelined, unnested, type Cell, type Column } from './statements.js';

/** Beyond so many rows a buffer is written before the batch ends. */
const ROWS_MAX = 5_000;

/** COPY's text format gives these a meaning. */
const COPY_SPECIAL = /[\\\t\n\r]/;
const COPY_SPECIALS = /[\\\t\n\r]/g;
const COPY_ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function copyCell(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell !== 'string') return String(cell);
  return COPY_SPECIAL.test(cell) ? cell.replace(COPY_SPECIALS, (found) => COPY_ESCAPES[found] ?? found) : cell;
}

/** A table that only grows. Few rows go by one prepared statement, a rebuild's many by COPY. */
export class AppendTable {
  private rows: (readonly Cell[])[] = [];
  private readonly insert: { readonly name: string; readonly text: string };
  private readonly copy: string;

  constructor(
    table: string,
    private readonly columns: readonly Column[],
  ) {
    const names = columnNames(columns);
    this.insert = {
      name: `append ${table}`,
      text: `insert into ${table} (${names}) select ${names} from ${unnested(columns)}`,
    };
    this.copy = `copy ${table} (${names}) from stdin`;
  }

  /** Takes one row in, its cells in the order of the columns. */
  add(row: readonly Cell[]): void {
    this.rows.push(row);
  }

  get isFull(): boolean {
    return this.rows.length >= ROWS_MAX;
  }

  async write(client: BatchClient): Promise<void> {
    const { rows } = this;
    if (rows.length === 0) return;
    this.rows = [];
    if (isPipelined(client)) {
      await client.query({ ...this.insert, values: columnArrays(this.columns, rows) });
      return;
    }
    let text = '';
    for (const row of rows) {
      let first = true;
      for (const cell of row) {
        text += first ? copyCell(cell) : `\t${copyCell(cell)}`;
        first = false;
      }
      text += '\n';
    }
    const stream = client.query(copyFrom(this.copy));
    stream.end(text);
    await finished(stream);
  }
}
