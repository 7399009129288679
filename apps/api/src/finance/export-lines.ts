import { createReadStream } from 'node:fs';
import { carriesHash, chainHash, eventIdOf, type JournalHead, printEnvelope } from '@app/ledger';
import type { NewEvent } from '@app/event-store';

/** Far above the longest event: a command's events are 320 KiB at most. */
const LINE_BYTES_MAX = 1_048_576;
const NEW_LINE = 10;
/** Metadata is there where it is of version 2: that of version 1 follows from the hash. */
const LINE =
  /^\{"revision":(\d{1,15}),"id":"([0-9a-f-]{36})","type":"([A-Za-z]{1,64})","hash":"([0-9a-f]{64})",(?:"metadata":(\{"nova":2,[^{}]*\}),)?"data":(\{.*\})\}$/s;

/** The file is not an export, or was changed. */
export class BrokenExport extends Error {
  override readonly name = 'BrokenExport';
}

/** One event of an export, its place in the chain checked. */
export interface ExportedEvent {
  /** Ready to be appended: the bytes as they were exported. */
  readonly event: NewEvent;
  readonly head: JournalHead;
  /** Bytes of the file up to the end of this line. */
  readonly bytesRead: number;
}

/** Where in a file to begin, and after which event: by default with the first line. */
export interface ExportStart {
  readonly offset: number;
  readonly head: JournalHead;
}

/**
 * Reads a JSONL export line by line and checks that each event follows the one before and that its id and hash are those of
 * its bytes: a changed byte, a line that is missing, doubled or out of place is noticed at the first line that does not fit.
 * @throws BrokenExport
 */
export async function* readExport(path: string, { offset, head: start }: ExportStart): AsyncGenerator<ExportedEvent> {
  let head = start;
  let bytesRead = offset;
  for await (const line of linesOf(path, offset)) {
    bytesRead += line.length + 1;
    const number = head.revision + 2;
    const [, revision, id = '', type = '', hash = '', second, data = ''] = LINE.exec(textOf(line, number)) ?? [];
    const metadata = second ?? printEnvelope({ hash });
    if (revision === undefined) throw new BrokenExport(`Line ${number} is not an event of an export.`);
    if (Number(revision) !== head.revision + 1) {
      throw new BrokenExport(`Line ${number} is revision ${revision}, where ${head.revision + 1} belongs.`);
    }
    const expected = chainHash(head.hash, head.revision + 1, type, data);
    head = { revision: head.revision + 1, hash: expected };
    if (!carriesHash(metadata, expected) || hash !== expected || id !== eventIdOf(expected, head.revision)) {
      throw new BrokenExport(`Line ${number} was changed: its hash does not match its bytes and the line before.`);
    }
    yield { event: { id, type, data, metadata }, head, bytesRead };
  }
}

/** Bytes that are no UTF-8 must not silently become others. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(line: Buffer, number: number): string {
  try {
    return utf8.decode(line);
  } catch (cause) {
    throw new BrokenExport(`Line ${number} is not text.`, { cause });
  }
}

/** Lines as bytes, ended by a line feed and nothing else: JSON may hold whatever other programs take for the end of a line. */
async function* linesOf(path: string, offset: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { start: offset }) as AsyncIterable<Buffer>) {
    let text = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let end = text.indexOf(NEW_LINE); end >= 0; end = text.indexOf(NEW_LINE)) {
      yield text.subarray(0, end);
      text = text.subarray(end + 1);
    }
    if (text.length > LINE_BYTES_MAX) throw new BrokenExport('The file has a line that is too long for an event.');
    rest = text;
  }
  if (rest.length > 0) yield rest;
}
