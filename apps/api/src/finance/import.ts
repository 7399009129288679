import { stat } from 'node:fs/promises';
import {
  auditState,
  decodeLedgerEvent,
  evolve,
  LEDGER_STREAM,
  type LedgerEvent,
  LedgerState,
  QUEST_COUNTING_STREAM,
} from '@app/domain';
import { type EventStore, type NewEvent, type RecordedEvent, upcast, WrongExpectedRevision } from '@app/event-store';
import {
  EMPTY_HEAD,
  ForgedEvent,
  hashOf,
  journalAhead,
  JournalAudit,
  type JournalHead,
  type JournalTrust,
  RangeReader,
  type ReadEvent,
  type TrustedKey,
} from '@app/ledger';
import { readModels } from '@app/projections';
import type { Pool } from 'pg';
import { reasonOf } from '../platform/errors/explained.js';
import { trustText } from '../platform/ledger/journal-keys.js';
import { BatchedAppends } from './batched-appends.js';
import { databaseTime } from './moments.js';
import { BrokenExport, type ExportStart, readExport } from './export-lines.js';

/** How often progress is told, in events. */
const TELL_EVERY = 1_000;
/** Of so many events at once the newest signature is checked: it vouches for all before. */
const SIGNED_AT_ONCE = 1_000;

export interface ImportOptions {
  readonly store: EventStore;
  readonly pool: Pool;
  /** A JSONL export of a whole journal. */
  readonly path: string;
  /** The head that the export must have, noted where it was made: proves that no tail is missing. */
  readonly anchor?: JournalHead | undefined;
  /** Whose signatures hold, by what this installation knows: a file that is signed is not taken without. */
  readonly trust?: JournalTrust | undefined;
  /** Whether to accept a journal whose last event is in the future: all later events are dated there too. */
  readonly takeFuture?: boolean;
  readonly onProgress?: (what: 'Checking' | 'Importing', bytesDone: number, bytesTotal: number) => void;
}

export interface ImportOutcome {
  readonly head: JournalHead;
  /** That journal time is in the future now, as a phrase. */
  readonly ahead: string | undefined;
  /** Events that were written now; the others had been by an import that was interrupted. */
  readonly imported: number;
}

/** This file does not belong in this system. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

/**
 * Writes an exported journal into an empty system, event by event the same: same ids, same hashes, same balances. The whole file is
 * checked before anything is written. An import that was interrupted is continued by the same call: what is there must be how the
 * file begins.
 * @throws BrokenExport the file is not as it was exported
 * @throws ImportRefused the system is not empty, the events break the ledger's rules, the last is dated in the future, or they are
 *   signed by somebody whom nothing here names
 */
export async function importJournal(options: ImportOptions): Promise<ImportOutcome> {
  const { store, pool } = options;
  await requireNothingElse(store, pool);
  const { head, start, time } = await checkFile(options);
  const ahead = journalAhead(time, await databaseTime(pool));
  if (ahead !== undefined && !options.takeFuture) {
    throw new ImportRefused(`The file's last event is dated in the future. With it, ${ahead}. --take-future takes it.`);
  }
  const imported = await appendFrom(options, start, head);
  return { head, ahead, imported };
}

/** Money of members who are not this export's, and facts that its events know nothing of, must not meet it. */
async function requireNothingElse(store: EventStore, pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ used: boolean }>('select exists (select from member_directory) as used');
  if (rows[0]?.used) throw new ImportRefused('This system is not empty: it has members. Import into a new one.');
  const others = new Set(readModels.flatMap(({ streamPrefixes }) => streamPrefixes));
  others.delete(LEDGER_STREAM);
  // A server says how it counts at its first start, before anybody has done anything.
  others.delete(QUEST_COUNTING_STREAM);
  for await (const [found] of store.readAll({ streamPrefixes: [...others], limit: 1 })) {
    throw new ImportRefused(`This system is not empty: it has events of its own (${found?.stream}).`);
  }
}

interface CheckedFile {
  readonly head: JournalHead;
  /** Where the part begins that this system does not have. */
  readonly start: ExportStart;
  /** Of the last event, in milliseconds since 1970. */
  readonly time: number;
}

/** Reads the file to its end: every link of the chain, every event by the ledger's rules. */
async function checkFile(options: ImportOptions): Promise<CheckedFile> {
  const { store, path, anchor, onProgress } = options;
  const size = await sizeOf(path);
  const stored = await store.head(LEDGER_STREAM);
  const [state, audit, signatures] = [new LedgerState(), new JournalAudit(), new FileSignatures(options.trust)];
  let start: ExportStart = { offset: 0, head: EMPTY_HEAD };
  let head = EMPTY_HEAD;
  for await (const { event, head: next, bytesRead } of readExport(path, start)) {
    head = next;
    applyTo(state, audit, event, head.revision);
    signatures.see({ ...event, ...head }, state);
    if (stored?.revision === head.revision) {
      if (hashOf(stored.metadata) !== head.hash) throw foreign(stored);
      start = { offset: bytesRead, head };
    }
    if (head.revision % TELL_EVERY === 0) onProgress?.('Checking', bytesRead, size);
  }
  onProgress?.('Checking', size, size);
  if (head.revision < 0) throw new BrokenExport('The file has no event.');
  if (stored && stored.revision > head.revision) throw foreign(stored);
  if (anchor && (anchor.revision !== head.revision || anchor.hash !== head.hash)) {
    throw new BrokenExport(`The file ends with ${head.revision}:${head.hash}, not with the anchor.`);
  }
  signatures.end();
  const [breach] = [...audit.end(), ...auditState(state)];
  if (breach !== undefined) throw new ImportRefused(`The events of the file break the ledger's rules: ${breach}.`);
  return { head, start, time: state.time };
}

/** Who signed the events of a file, and whether that key is trusted. */
class FileSignatures {
  private readonly reader: RangeReader | undefined;
  private readonly named: TrustedKey[] = [];
  private waiting: ReadEvent[] = [];

  constructor(trust: JournalTrust | undefined) {
    if (trust) this.reader = new RangeReader({ signing: undefined, trust });
  }

  /** @param state what it is after this event @throws ImportRefused */
  see(event: ReadEvent, { signing }: LedgerState): void {
    if (signing && signing.since !== this.named.at(-1)?.from) {
      this.named.push({ journal: signing.journal, publicKey: signing.publicKey, from: signing.since });
    }
    if (!this.reader) return;
    this.waiting.push(event);
    if (this.waiting.length === SIGNED_AT_ONCE) this.check(this.reader);
  }

  /** @throws ImportRefused */
  end(): void {
    if (this.reader) return this.check(this.reader, true);
    if (this.named.length === 0) return;
    const trust = this.named.map(trustText).join(',');
    throw new ImportRefused(
      `The file is signed, and nothing here says who should have signed it. If these are the keys of your journal, set JOURNAL_TRUST=${trust}`,
    );
  }

  private check(reader: RangeReader, isEnd = false): void {
    try {
      reader.take(this.waiting);
      this.waiting = [];
      if (isEnd) reader.end();
      else reader.throwIfForged();
    } catch (error) {
      if (!(error instanceof ForgedEvent)) throw error;
      throw new ImportRefused(`Line ${error.revision + 1} cannot be taken: ${error.message}.`, { cause: error });
    }
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new ImportRefused(`There is no file ${path}.`);
  return found.size;
}

function applyTo(state: LedgerState, audit: JournalAudit, { type, data }: NewEvent, revision: number): void {
  try {
    const event = decodeLedgerEvent(type, upcast(type, data));
    audit.see(state, event, revision);
    evolve(state, event, revision);
  } catch (cause) {
    throw new ImportRefused(`Line ${revision + 1} cannot be taken: ${reasonOf(cause)}.`, { cause });
  }
  const [breach] = audit.breaches;
  if (breach !== undefined) throw new ImportRefused(`Line ${revision + 1} cannot be taken: ${breach}.`);
}

function foreign({ revision, type }: RecordedEvent): ImportRefused {
  const isBegun = revision === 0 && type === ('SigningBegan' satisfies LedgerEvent['type']);
  return new ImportRefused(
    isBegun
      ? 'This system was started and signs its own journal. Import into a data folder in which nothing was started yet.'
      : 'This system is not empty: its journal does not begin like this file. Import into a new one.',
  );
}

async function appendFrom(options: ImportOptions, start: ExportStart, end: JournalHead): Promise<number> {
  const { store, path, onProgress } = options;
  const size = await sizeOf(path);
  const appends = new BatchedAppends(store);
  try {
    for await (const { event, head, bytesRead } of readExport(path, start)) {
      await appends.add(LEDGER_STREAM, head.revision, event);
      if (head.revision % TELL_EVERY === 0) onProgress?.('Importing', bytesRead, size);
      if (head.revision === end.revision) break;
    }
    await appends.flush();
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    const message = `Something else was written to this system during the import, where ${error.expected} was its last revision.`;
    throw new ImportRefused(message, { cause: error });
  }
  onProgress?.('Importing', size, size);
  return end.revision - start.head.revision;
}
