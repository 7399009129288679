import { CURRENCIES, Money, MINOR_UNITS } from '@app/domain';
import { stringify } from 'csv-stringify/sync';
import type { WalkedEvent } from './journal-walk.js';

export const EXPORT_FORMATS = ['hledger', 'csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Writes the journal in a format that other programs read; account names are exactly those of `ledger.md`. */
export interface JournalWriter {
  readonly header: string;
  readonly event: (walked: WalkedEvent) => string;
}

export const journalWriters: Readonly<Record<ExportFormat, JournalWriter>> = {
  hledger: { header: hledgerHeader(), event: hledgerEvent },
  csv: {
    header: csvRow(['revision', 'event_id', 'type', 'at', 'actor', 'cause', 'account', 'currency', 'amount', 'hash']),
    event: csvEvent,
  },
  jsonl: { header: '', event: jsonEvent },
};

function hledgerHeader(): string {
  const commodities = CURRENCIES.map(
    (currency) => `commodity ${MINOR_UNITS[currency] === 1n ? '1000.' : '1000.00'} ${currency}`,
  );
  return `${commodities.join('\n')}\n\n`;
}

const timeOf = ({ event }: WalkedEvent): string => new Date(event.at).toISOString();
/** A line of hledger ends a text, a semicolon begins a comment. */
const plain = (text: string): string => text.replace(/[\r\n;|]+/g, ' ');

function hledgerEvent(walked: WalkedEvent): string {
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

function csvEvent(walked: WalkedEvent): string {
  const { recorded, event, head } = walked;
  const about = [String(recorded.revision), recorded.id, event.type, timeOf(walked), event.actor, event.cause ?? ''];
  if (!event.entries.length) return csvRow([...about, '', '', '', head.hash]);
  return event.entries
    .map(([account, currency, delta]) =>
      csvRow([...about, account, currency, Money.ofMinor(delta, currency).toDecimal(), head.hash]),
    )
    .join('');
}

/** Texts that a spreadsheet would take for a formula get an apostrophe; amounts stay numbers. */
function csvRow(cells: readonly string[]): string {
  const safe = cells.map((cell) => (/^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell));
  return stringify([safe]);
}

/** One JSON object a line: the data exactly as stored, with what stands beside it. */
function jsonEvent({ recorded, head }: WalkedEvent): string {
  const { revision, id, type, data } = recorded;
  return `{"revision":${revision},"id":"${id}","type":"${type}","hash":"${head.hash}","data":${data}}\n`;
}
