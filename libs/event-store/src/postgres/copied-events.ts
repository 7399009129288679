import { addAbortSignal } from 'node:stream';
import { escapeLiteral, type PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { RecordedEvent } from '../port.js';

/** Postgres' binary COPY format: what stands before the first row, and instead of a number of fields behind the last. */
const HEAD_BYTES = 19;
const TRAILER = -1;
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;

/**
 * Reads events of a stream as one copy of bytes: half of the work that rows are for Postgres, and no text is looked at twice.
 * @throws whatever ends the connection, and an AbortError after so many milliseconds
 */
export async function copyEvents(
  client: PoolClient,
  { stream, from, size }: { readonly stream: string; readonly from: number; readonly size: number },
  timeoutMs: number,
): Promise<RecordedEvent[]> {
  const copy = client.query(
    copyTo(`copy (
      select e.position, e.revision, e.id, e.type, e.data, e.metadata from journal.events e
      where e.stream = (select id from journal.streams where name = ${escapeLiteral(stream)}) and e.revision >= ${BigInt(from)}
      order by e.revision limit ${BigInt(size)}) to stdout (format binary)`),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of addAbortSignal(AbortSignal.timeout(timeoutMs), copy)) chunks.push(chunk as Buffer);
  return recordedEvents(stream, Buffer.concat(chunks));
}

function recordedEvents(stream: string, bytes: Buffer): RecordedEvent[] {
  const events: RecordedEvent[] = [];
  let at = HEAD_BYTES;
  /** Where the next field begins; `at` is then behind it. */
  const field = (): number => {
    const begin = at + LENGTH_BYTES;
    at = begin + bytes.readInt32BE(at);
    return begin;
  };
  while (bytes.readInt16BE(at) !== TRAILER) {
    at += COUNT_BYTES;
    const position = bytes.readBigInt64BE(field());
    const revision = bytes.readInt32BE(field());
    const id = uuidOf(bytes.toString('hex', field(), at));
    const type = bytes.toString('latin1', field(), at);
    const data = bytes.toString('utf8', field(), at);
    const metadata = bytes.toString('utf8', field(), at);
    events.push({ id, type, data, metadata, stream, revision, position });
  }
  return events;
}

const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
