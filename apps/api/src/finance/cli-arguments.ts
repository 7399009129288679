import { parseArgs } from 'node:util';
import type { JournalHead } from '@app/ledger';
import { type DayOrMoment, readDayOrMoment } from '../platform/day-or-moment.js';
import type { AskedMoment, AskedPeriod } from './books.js';
import { EXPORT_FORMATS, type ExportFormat } from './export.js';

/** What the caller got wrong, in a sentence; exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What stands behind the command on the command line. */
export interface CommandArguments {
  readonly command: string | undefined;
  /** A member, a file, or a read model. */
  readonly subject: string | undefined;
  readonly moment: AskedMoment;
  readonly period: AskedPeriod;
  readonly format: string | undefined;
  readonly anchor: JournalHead | undefined;
  /** Whether a rebuild takes the place of live rows that differ. */
  readonly replace: boolean;
}

const OPTIONS = {
  at: { type: 'string' },
  revision: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  format: { type: 'string' },
  anchor: { type: 'string' },
  replace: { type: 'boolean' },
} as const;

/** What may stand behind a command: words, and the names of options. What is not used must not seem to be. */
interface Accepted {
  readonly words: number;
  readonly options: readonly (keyof typeof OPTIONS)[];
}

const ACCEPTED: ReadonlyMap<string | undefined, Accepted> = new Map<string | undefined, Accepted>([
  ['verify', { words: 0, options: ['anchor'] }],
  ['trial-balance', { words: 0, options: ['at', 'revision'] }],
  ['replay', { words: 0, options: ['at', 'revision'] }],
  ['balance', { words: 1, options: ['at', 'revision'] }],
  ['statement', { words: 1, options: ['from', 'to', 'format'] }],
  ['export', { words: 0, options: ['format', 'from', 'to'] }],
  ['close', { words: 0, options: ['at'] }],
  ['reconcile', { words: 0, options: ['from', 'to'] }],
  ['periods', { words: 0, options: [] }],
  ['import', { words: 1, options: ['anchor'] }],
  ['rebuild', { words: 1, options: ['replace'] }],
]);

/** @throws UsageError */
export function readArguments(argv: readonly string[]): CommandArguments {
  const { values, positionals } = parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS });
  const [command, ...words] = positionals;
  checkAccepted(command, words, Object.keys(values));
  const [subject] = words;
  const moment = { at: timeOf('--at', values.at), revision: revisionOf(values.revision) };
  if (moment.at && moment.revision !== undefined) throw new UsageError('--at or --revision, not both.');
  const period = periodOf(values);
  const { format, replace = false } = values;
  return { command, subject, moment, period, format, anchor: anchorOf(values.anchor), replace };
}

/** An unknown command takes anything here: that it is unknown comes first. */
function checkAccepted(command: string | undefined, words: readonly string[], options: readonly string[]): void {
  const accepted = ACCEPTED.get(command);
  if (!accepted) return;
  const names: readonly string[] = accepted.options;
  const odd = words[accepted.words] ?? options.filter((name) => !names.includes(name)).map((name) => `--${name}`)[0];
  if (odd !== undefined) throw new UsageError(`${command} does not take ${odd}: nothing was done.`);
}

export function exportFormat(format: string | undefined): ExportFormat {
  const known = EXPORT_FORMATS.find((name) => name === format);
  if (!known) throw new UsageError(`--format is one of ${EXPORT_FORMATS.join(', ')}.`);
  return known;
}

function timeOf(option: string, text: string | undefined): DayOrMoment | undefined {
  if (text === undefined) return undefined;
  const time = readDayOrMoment(text);
  if (!time) throw new UsageError(`${option} ${text} is not a time: write 2026-01-31 or 2026-01-31T12:00:00Z.`);
  return time;
}

function periodOf(given: { readonly from?: string; readonly to?: string }): AskedPeriod {
  const period = { from: timeOf('--from', given.from), to: timeOf('--to', given.to) };
  if (!period.from || !period.to || period.from.start < period.to.end) return period;
  throw new UsageError(`--to ${given.to} ends before --from ${given.from} begins: nothing was done.`);
}

function revisionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text)) throw new UsageError(`--revision ${text} is not a whole number from 0.`);
  return Number(text);
}

function anchorOf(text: string | undefined): JournalHead | undefined {
  if (text === undefined) return undefined;
  const [, revision, hash] = /^(\d{1,12}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!revision || !hash) throw new UsageError('--anchor is REVISION:HASH as an earlier verify printed it.');
  return { revision: Number(revision), hash };
}
