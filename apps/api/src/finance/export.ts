import { setImmediate as turn } from 'node:timers/promises';
import {
  accountKind,
  type AccountKind,
  type AccountName,
  accountOwner,
  CURRENCIES,
  MINOR_UNITS,
  Money,
} from '@app/domain';
import type { EventStore } from '@app/event-store';
import { envelopeAfter } from '@app/ledger';
import { stringify } from 'csv-stringify/sync';
import { type WalkedEvent, walkJournal, type WalkOptions } from './journal-walk.js';

/** Accounts are opened by the plugin, where they are first used: an export knows nothing of what comes later. */
const beancountHeader = (): string =>
  'option "title" "Nova"\noption "operating_currency" "NOVA"\nplugin "beancount.plugins.auto_accounts"\n\n';

/** Beancount wants one of five roots, and parts that begin with a capital or a digit. */
const ACCOUNTS: Readonly<Record<AccountKind, readonly [prefix: string, suffix?: string]>> = {
  'user:purchased': ['Liabilities:User', 'Purchased'],
  'user:earned': ['Liabilities:User', 'Earned'],
  'user:pending': ['Liabilities:User', 'Pending'],
  'user:karma': ['Liabilities:User', 'Karma'],
  'user:influence': ['Liabilities:User', 'Influence'],
  'user:seyvn': ['Liabilities:User', 'Seyvn'],
  'app:purchased': ['Liabilities:App', 'Purchased'],
  'app:earned': ['Liabilities:App', 'Earned'],
  chat: ['Liabilities:Chat'],
  'pool:influence': ['Liabilities:Pool:Influence'],
  'pool:karma': ['Liabilities:Pool:Karma'],
  'pool:thread': ['Liabilities:Pool:Thread'],
  treasury: ['Equity:Treasury'],
  'external:stripe': ['Assets:External:Stripe'],
  'external:chargebacks': ['Assets:External:Chargebacks'],
  issuance: ['Equity:Issuance'],
  burned: ['Equity:Burned'],
};

/** Of an id's characters Beancount knows all but the underscore: such an id is written in hexadecimal. */
const idPart = (id: string): string =>
  /^[A-Za-z0-9-]+$/.test(id) ? `Id-${id}` : `Hex-${Buffer.from(id).toString('hex')}`;

/** The name of an account where the exact one is no name for Beancount; different accounts have different names. */
export function beancountAccount(account: AccountName): string {
  const [prefix, suffix] = ACCOUNTS[accountKind(account)];
  const owner = accountOwner(account);
  return [prefix, ...(owner ? [idPart(owner)] : []), ...(suffix ? [suffix] : [])].join(':');
}

const quoted = (text: string): string => `"${text.replace(/[\r\n]+/g, ' ').replace(/[\\"]/g, '\\$&')}"`;

/** One event: what the journal says of it as metadata, and each posting's exact account name beneath it. */
function beancountTransaction({ recorded, event, head }: WalkedEvent): string {
  const time = new Date(event.at).toISOString();
  const lines = [
    `${time.slice(0, 10)} * ${quoted(event.type)}`,
    `  revision: ${recorded.revision}`,
    `  event: ${quoted(recorded.id)}`,
    `  time: ${quoted(time)}`,
    `  actor: ${quoted(event.actor)}`,
    ...(event.cause === undefined ? [] : [`  cause: ${quoted(event.cause)}`]),
    `  hash: ${quoted(head.hash)}`,
  ];
  for (const [account, currency, delta] of event.entries) {
    lines.push(`  ${beancountAccount(account)}  ${Money.ofMinor(delta, currency).toDecimal()} ${currency}`);
    lines.push(`    account: ${quoted(account)}`);
  }
  return `${lines.join('\n')}\n\n`;
}

export const EXPORT_FORMATS = ['hledger', 'beancount', 'csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Events whose text is made at once: what an export holds in memory, and how long it keeps a thread. */
const CHUNK_EVENTS = 200;

/** Writes events in a format that other programs read, with the names of accounts as they are (rule ledger-3). */
interface JournalWriter {
  readonly header: string;
  readonly events: (walked: readonly WalkedEvent[]) => string;
}

const journalWriters: Readonly<Record<ExportFormat, JournalWriter>> = {
  hledger: { header: hledgerHeader(), events: each(hledgerTransaction) },
  beancount: { header: beancountHeader(), events: each(beancountTransaction) },
  csv: {
    header: csvRows([
      ['revision', 'event_id', 'type', 'at', 'actor', 'cause', 'account', 'currency', 'amount', 'hash'],
    ]),
    events: (walked) => csvRows(walked.flatMap(csvCells)),
  },
  jsonl: { header: '', events: each(jsonLine) },
};

/**
 * A part of the journal as text, in pieces, as fast as the reader takes them: neither its length nor a slow reader costs
 * memory, and others have their turn between pieces.
 * @throws BrokenChain an event is not what its hash says
 */
export async function* exportJournal(
  store: EventStore,
  format: ExportFormat,
  options: WalkOptions,
): AsyncGenerator<string, void, undefined> {
  const { header, events } = journalWriters[format];
  if (header) yield header;
  let chunk: WalkedEvent[] = [];
  for await (const walked of walkJournal(store, options)) {
    chunk.push(walked);
    if (chunk.length < CHUNK_EVENTS) continue;
    yield events(chunk);
    chunk = [];
    await turn();
  }
  if (chunk.length > 0) yield events(chunk);
}

function each(write: (walked: WalkedEvent) => string): JournalWriter['events'] {
  return (walked) => walked.map(write).join('');
}

function hledgerHeader(): string {
  const commodities = CURRENCIES.map(
    (currency) => `commodity ${MINOR_UNITS[currency] === 1n ? '1000.' : '1000.00'} ${currency}`,
  );
  return `${commodities.join('\n')}\n\n`;
}

const timeOf = ({ event }: WalkedEvent): string => new Date(event.at).toISOString();
/** A line of hledger ends a text, a semicolon begins a comment. */
const plain = (text: string): string => text.replace(/[\r\n;|]+/g, ' ');

function hledgerTransaction(walked: WalkedEvent): string {
  const { recorded, event, head } = walked;
  const time = timeOf(walked);
  const cause = event.cause === undefined ? '' : `, cause:${plain(event.cause).replaceAll(',', ' ')}`;
  const lines = [
    `${time.slice(0, 10)} (${recorded.revision}) ${event.type}  ; event:${recorded.id}, time:${time.slice(11)}, actor:${plain(event.actor)}${cause}`,
    `    ; hash:${head.hash}`,
    ...event.entries.map(
      ([account, currency, delta]) => `    ${account}  ${Money.ofMinor(delta, currency).toDecimal()} ${currency}`,
    ),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** A row an entry; one without an account for an event that moves nothing. */
function csvCells(walked: WalkedEvent): string[][] {
  const { recorded, event, head } = walked;
  const about = [String(recorded.revision), recorded.id, event.type, timeOf(walked), event.actor, event.cause ?? ''];
  if (!event.entries.length) return [[...about, '', '', '', head.hash]];
  return event.entries.map(([account, currency, delta]) => [
    ...about,
    account,
    currency,
    Money.ofMinor(delta, currency).toDecimal(),
    head.hash,
  ]);
}

/** Texts that a spreadsheet would take for a formula get an apostrophe; amounts stay numbers. */
function csvRows(rows: readonly (readonly string[])[]): string {
  const safe = (cell: string) => (/^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell);
  return stringify(rows.map((cells) => cells.map(safe)));
}

/** One JSON object a line: the data exactly as stored, with what stands beside it. `import` reads it back. */
function jsonLine({ recorded, head }: WalkedEvent): string {
  const { revision, id, type, data, metadata } = recorded;
  const second = envelopeAfter(metadata) === 2 ? `"metadata":${metadata},` : '';
  return `{"revision":${revision},"id":"${id}","type":"${type}","hash":"${head.hash}",${second}"data":${data}}\n`;
}
