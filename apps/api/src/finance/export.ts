import { setImmediate as turn } from 'node:timers/promises';
import { Money } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { envelopeAfter } from '@app/ledger';
import { beancountHeader, beancountTexts } from './exports/beancount.js';
import { csvRows } from '../admin/csv.js';
import { type BooksPeriod, type Commodity, DollarBooks, type Step } from './exports/dollar-books.js';
import { hledgerHeader, hledgerTexts } from './exports/hledger.js';
import type { OwnAccounts } from './exports/own-accounts.js';
import { postingsHeader, postingsTexts } from './exports/postings.js';
import { type WalkedEvent, walkJournal } from './journal-walk.js';

export const EXPORT_FORMATS = ['hledger', 'beancount', 'postings', 'csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions extends BooksPeriod {
  /** For `postings`: the numbers of one's own accounts. */
  readonly accounts?: OwnAccounts | undefined;
}

/** The journal's events alone, exactly as they are. */
interface EventFormat {
  readonly header: string;
  readonly text: (walked: WalkedEvent) => string;
}

/** Nova and dollars (rule finance-9). */
interface BooksFormat {
  readonly header: (books: DollarBooks) => string;
  readonly texts: (step: Step, commodity: Commodity, accounts?: OwnAccounts) => Iterable<string>;
}

const BOOKS_FORMATS = {
  hledger: { header: hledgerHeader, texts: hledgerTexts },
  beancount: { header: beancountHeader, texts: beancountTexts },
  postings: { header: postingsHeader, texts: postingsTexts },
} as const satisfies Readonly<Partial<Record<ExportFormat, BooksFormat>>>;

/** Whether a format is of the books in Nova and dollars, and not of the journal's events alone. */
export const hasDollars = (format: ExportFormat): format is keyof typeof BOOKS_FORMATS => format in BOOKS_FORMATS;

const CSV_COLUMNS = ['revision', 'event_id', 'type', 'at', 'actor', 'cause', 'account', 'currency', 'amount', 'hash'];

/** For the description of the API, by content type. */
export const EXPORT_EXAMPLES: Readonly<Record<string, string>> = {
  'text/plain': `2026-11-27 (42) GiftSent\n    user:0190a8c4-7d3e-7b6f-8a51-2f0c9d7e6b14:purchased  -1000.00 NOVA\n    treasury  1000.00 NOVA\n`,
  'text/csv': `${CSV_COLUMNS.join(',')}\n42,0000002a-002a-8c1d-9e2f-3a4b5c6d7e8f,GiftSent,2026-11-27T12:00:00.000Z,0190a8c4-7d3e-7b6f-8a51-2f0c9d7e6b14,,user:0190a8c4-7d3e-7b6f-8a51-2f0c9d7e6b14:purchased,NOVA,-1000.00,9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n`,
  'application/x-ndjson':
    '{"revision":42,"id":"0000002a-002a-8c1d-9e2f-3a4b5c6d7e8f","type":"GiftSent","hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}\n',
};

const EVENT_FORMATS: Readonly<Record<Exclude<ExportFormat, keyof typeof BOOKS_FORMATS>, EventFormat>> = {
  csv: {
    header: csvRows([CSV_COLUMNS]),
    text: (walked) => csvRows(csvCells(walked)),
  },
  jsonl: { header: '', text: jsonLine },
};

/** Characters of a piece: what an export holds in memory, and how long it keeps a thread. */
const PIECE_CHARS = 65_536;

/**
 * A part of the journal as text, in pieces, as fast as the reader takes them; others have their turn between pieces. A slow
 * reader costs no memory. `csv` and `jsonl` need none for the length of the journal either; the formats with dollars keep
 * what each account holds and each purchase cost, and the period's movements at the provider.
 * @throws BrokenChain an event is not what its hash says
 * @throws MixedBooks real and sandbox purchases are in one journal, which has no dollars then
 */
export async function* exportJournal(
  store: EventStore,
  format: ExportFormat,
  options: ExportOptions,
): AsyncGenerator<string, void, undefined> {
  let piece = '';
  for await (const text of textsOf(store, format, options)) {
    piece += text;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
    await turn();
  }
  if (piece) yield piece;
}

async function* textsOf(store: EventStore, format: ExportFormat, options: ExportOptions): AsyncIterable<string> {
  if (!hasDollars(format)) {
    const { header, text } = EVENT_FORMATS[format];
    yield header;
    for await (const walked of walkJournal(store, options)) yield text(walked);
    return;
  }
  const { header, texts }: BooksFormat = BOOKS_FORMATS[format];
  const books = await DollarBooks.open(store, options);
  yield header(books);
  for await (const step of books.steps()) yield* texts(step, books.commodity, options.accounts);
}

/** A row an entry; one without an account for an event that moves nothing. */
function csvCells(walked: WalkedEvent): string[][] {
  const { recorded, event, head } = walked;
  const about = [
    String(recorded.revision),
    recorded.id,
    event.type,
    new Date(event.at).toISOString(),
    event.actor,
    event.cause ?? '',
  ];
  if (!event.entries.length) return [[...about, '', '', '', head.hash]];
  return event.entries.map(([account, currency, delta]) => [
    ...about,
    account,
    currency,
    Money.ofMinor(delta, currency).toDecimal(),
    head.hash,
  ]);
}

/** One JSON object a line: the data exactly as stored, with what stands beside it. `import` reads it back. */
function jsonLine({ recorded, head }: WalkedEvent): string {
  const { revision, id, type, data, metadata } = recorded;
  const second = envelopeAfter(metadata) === 2 ? `"metadata":${metadata},` : '';
  return `{"revision":${revision},"id":"${id}","type":"${type}","hash":"${head.hash}",${second}"data":${data}}\n`;
}
