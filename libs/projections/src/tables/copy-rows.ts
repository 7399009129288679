import type { Client, Connection, Submittable } from 'pg';

/** What `pg` has for COPY, beside what its types say. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * Sends a COPY with its rows and its end at once. Its stream in `pg-copy-streams` waits for Postgres before the rows and before
 * the end, and each time for whatever else the thread does: a rebuild of `entries` spent a sixth of its time on that.
 * @param statement `copy … from stdin`
 * @param rows in COPY's text format, each with its line feed
 * @returns resolves when Postgres has taken them, and rejects with its error
 */
export function copyRows(client: Pick<Client, 'query'>, statement: string, rows: string): Promise<void> {
  return new Promise((resolve, reject) => client.query(new CopyIn(statement, rows, resolve, reject)));
}

/** As `pg`'s client calls its queries. */
class CopyIn implements Submittable {
  /** Of the client: ends its clock, where it has one. */
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
    // Where the statement is refused, Postgres passes over what follows.
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
