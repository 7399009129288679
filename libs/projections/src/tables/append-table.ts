import type { Client, Connection, Submittable } from 'pg';
import type { BatchClient } from '../read-model.js';
import { type Cell, type Column, columnArrays, columnNames, isPipelined, unnested } from './statements.js';
import { cellsOf, type Columns, columnsOf, type Row, type Table } from './table.js';

/** The parts of `pg` for COPY that its types lack. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * Sends a COPY with its rows and its end at once. The stream of `pg-copy-streams` waits for Postgres before the rows
 * and before the end, and each time for other work of the thread: a rebuild of `entries` spent a sixth of its time on
 * that.
 * @param statement `copy … from stdin`
 * @param rows in COPY's text format, each with its line feed
 * @returns resolves when Postgres has taken them, and rejects with its error
 */
export function copyRows(client: Pick<Client, 'query'>, statement: string, rows: string): Promise<void> {
  return new Promise((resolve, reject) => client.query(new CopyIn(statement, rows, resolve, reject)));
}

/** A query in the form that `pg`'s client calls. */
class CopyIn implements Submittable {
  /** Set by the client: stops its timeout, if it has one. */
  callback: (() => void) | undefined;

  constructor(
    private readonly statement: string,
    private readonly rows: string,
    private readonly resolve: () => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    const to = connection as CopyConnection;
    to.stream.cork();
    to.query(this.statement);
    // If the statement is refused, Postgres skips the rows.
    to.sendCopyFromChunk(Buffer.from(this.rows));
    to.endCopyFrom();
    to.stream.uncork();
  }

  handleCopyInResponse(): void {
    // The rows are on their way.
  }

  handleCommandComplete(): void {
    // 'ReadyForQuery' follows.
  }

  handleReadyForQuery(): void {
    this.callback?.();
    this.resolve();
  }

  handleError(error: Error): void {
    this.callback?.();
    this.reject(error);
  }
}

/** Beyond this number of rows, a buffer is written before the batch ends. */
const ROWS_MAX = 5_000;

/** Characters with a meaning in COPY's text format. */
const COPY_SPECIAL = /[\\\t\n\r]/;
const COPY_SPECIALS = /[\\\t\n\r]/g;
const COPY_ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** @param type of the column: bytes are `\x` and digits, so that nothing needs to be searched */
function copyCell(cell: Cell, type?: string): string {
  if (cell === null) return '\\N';
  if (type === 'bytea') return `\\${String(cell)}`;
  if (typeof cell !== 'string') return String(cell);
  return COPY_SPECIAL.test(cell) ? cell.replace(COPY_SPECIALS, (found) => COPY_ESCAPES[found] ?? found) : cell;
}

/** A table that only grows. Few rows are written by one prepared statement, the many rows of a rebuild by COPY. */
export class AppendTable<C extends Columns> {
  private rows: Row<C>[] = [];
  /** The COPY in progress, during which the next rows are gathered. */
  private copying: Promise<void> = Promise.resolve();
  private readonly insert: { readonly name: string; readonly text: string };
  private readonly copy: string;
  private readonly columns: readonly Column[];
  private readonly cells: (row: Row<C>) => Cell[];

  constructor({ name, columns }: Table<C>) {
    this.columns = columnsOf(columns);
    this.cells = cellsOf(columns);
    const names = columnNames(this.columns);
    this.insert = {
      name: `append ${name}`,
      text: `insert into ${name} (${names}) select ${names} from ${unnested(this.columns)}`,
    };
    this.copy = `copy ${name} (${names}) from stdin`;
  }

  /**
   * Takes in one row. Pass a literal if there are many rows: a row made by spreading others costs ten times as much.
   */
  add(row: Row<C>): void {
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
      await client.query({ ...this.insert, values: columnArrays(this.columns, rows.map(this.cells)) });
      return;
    }
    // Joined, not concatenated: a long concatenated text must be flattened before it becomes bytes.
    const lines = rows.map((row) =>
      this.cells(row)
        .map((cell, at) => copyCell(cell, this.columns[at]?.[1]))
        .join('\t'),
    );
    const before = this.copying;
    this.copying = copyRows(client, this.copy, `${lines.join('\n')}\n`);
    // The next write, or the end, handles the failure.
    this.copying.catch(() => undefined);
    await before;
  }

  /** Resolves when Postgres has taken everything written. */
  written(): Promise<void> {
    return this.copying;
  }
}
