import { parseArgs } from 'node:util';
import type { JournalHead } from '@app/ledger';
import { isLoopback } from '../platform/config.js';
import { refusalOfAddress } from '../platform/http/public-request.js';
import { type DayOrMoment, readDayOrMoment } from '../platform/day-or-moment.js';
import { errorCode } from '../platform/errors/error-code.js';
import type { AskedMoment, AskedPeriod } from './books.js';
import { EXPORT_FORMATS, type ExportFormat } from './export.js';
import { isReadModel, READ_MODELS } from './rebuild.js';

/** The caller's mistake, in a sentence; exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The arguments of a command. */
export interface CommandArguments {
  readonly command: string | undefined;
  /** A member, an application, a file, or a read model; empty where the command takes none. */
  readonly subject: string;
  readonly moment: AskedMoment;
  readonly period: AskedPeriod;
  readonly format: string | undefined;
  /** A file with the numbers of one's own accounts. */
  readonly accounts: string | undefined;
  readonly anchor: JournalHead | undefined;
  /** Where checkpoints were kept that the journal is held against: a file, a folder or a bucket. */
  readonly seals: string | undefined;
  /** Where webhooks are forwarded to, on this machine. */
  readonly forwardTo: string;
  /** Whether a rebuild takes the place of live rows that differ. */
  readonly replace: boolean;
  /** Whether read models are brought to the journal's end first. */
  readonly catchUp: boolean;
  /** Whether each signature of the journal is checked. */
  readonly everySignature: boolean;
  /** Whether a signed journal begins again to be signed. */
  readonly anew: boolean;
  /** Whether a journal is imported whose last event is dated in the future. */
  readonly takeFuture: boolean;
  /** What there is was asked for, and nothing else counts. */
  readonly help: boolean;
}

const OPTIONS = {
  at: { type: 'string' },
  revision: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  format: { type: 'string' },
  accounts: { type: 'string' },
  anchor: { type: 'string' },
  seals: { type: 'string' },
  'forward-to': { type: 'string' },
  replace: { type: 'boolean' },
  'catch-up': { type: 'boolean' },
  'every-signature': { type: 'boolean' },
  'take-future': { type: 'boolean' },
  anew: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What may stand behind a command: words, and the names of options. What is not used must not seem to be. */
interface Accepted {
  readonly words: number;
  readonly options: readonly (keyof typeof OPTIONS)[];
  /** @throws UsageError what the command cannot do without is missing, or wrong */
  readonly check?: (given: CommandArguments) => void;
}

const ACCEPTED: ReadonlyMap<string | undefined, Accepted> = new Map<string | undefined, Accepted>([
  ['verify', { words: 0, options: ['anchor', 'seals', 'catch-up', 'every-signature'] }],
  ['trial-balance', { words: 0, options: ['at', 'revision'] }],
  ['replay', { words: 0, options: ['at', 'revision'] }],
  ['balance', { words: 1, options: ['at', 'revision'], check: requireMember }],
  ['statement', { words: 1, options: ['from', 'to', 'format'], check: checkStatement }],
  ['export', { words: 0, options: ['format', 'from', 'to', 'accounts'], check: checkExport }],
  ['close', { words: 0, options: ['at'] }],
  ['reconcile', { words: 0, options: ['from', 'to'] }],
  ['periods', { words: 0, options: [] }],
  ['import', { words: 1, options: ['anchor', 'take-future'], check: requireFile }],
  ['signing', { words: 1, options: ['anew'], check: requireSigningStep }],
  ['listen', { words: 1, options: ['forward-to'], check: checkListening }],
  ['prepare', { words: 0, options: [] }],
  ['move-journal', { words: 0, options: [] }],
  ['rebuild', { words: 1, options: ['replace'], check: requireReadModel }],
]);

/** @throws UsageError */
export function readArguments(argv: readonly string[]): CommandArguments {
  const { values, positionals } = parse(argv);
  const [command, ...words] = positionals;
  const { format, accounts, seals, replace = false, anew = false, help = false } = values;
  const { 'every-signature': everySignature = false, 'forward-to': forwardTo = '' } = values;
  const { 'catch-up': catchUp = false, 'take-future': takeFuture = false } = values;
  if (!help) checkAccepted(command, words, Object.keys(values));
  const moment = { at: timeOf('--at', values.at), revision: revisionOf(values.revision) };
  if (moment.at && moment.revision !== undefined) throw new UsageError('--at or --revision, not both.');
  const period = periodOf(values);
  const anchor = anchorOf(values.anchor);
  const given = {
    command,
    subject: words[0] ?? '',
    moment,
    period,
    format,
    accounts,
    anchor,
    seals,
    forwardTo,
    replace,
    catchUp,
    everySignature,
    takeFuture,
    anew,
    help,
  };
  if (!help) ACCEPTED.get(command)?.check?.(given);
  return given;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS });
  } catch (cause) {
    if (!errorCode(cause)?.startsWith('ERR_PARSE_ARGS')) throw cause;
    // Node goes on with advice on words that begin with a dash.
    const [sentence = ''] = (cause as Error).message.split(/\.\s/);
    throw new UsageError(`${sentence}. --help lists all commands and options.`, { cause });
  }
}

/** An unknown command takes anything here: that it is unknown comes first. */
function checkAccepted(command: string | undefined, words: readonly string[], options: readonly string[]): void {
  const accepted = ACCEPTED.get(command);
  if (!accepted) return;
  const names: readonly string[] = accepted.options;
  const odd = words[accepted.words] ?? options.filter((name) => !names.includes(name)).map((name) => `--${name}`)[0];
  if (odd !== undefined) throw new UsageError(`${command} does not take ${odd}: nothing was done.`);
}

function requireMember({ command, subject }: CommandArguments): void {
  if (!subject) throw new UsageError(`${command} needs a member: an id or an e-mail address.`);
}

function checkStatement(given: CommandArguments): void {
  requireMember(given);
  if (given.format !== undefined && given.format !== 'csv') throw new UsageError('--format of a statement is csv.');
}

function requireFile({ subject }: CommandArguments): void {
  if (!subject) throw new UsageError('import needs a file that export --format jsonl wrote.');
}

function requireSigningStep({ subject, anew }: CommandArguments): void {
  if (anew && subject !== 'begin') throw new UsageError('--anew belongs to signing begin.');
  if (!['', 'begin', 'change', 'trust'].includes(subject)) {
    throw new UsageError('signing takes begin, change, trust, or no argument.');
  }
}

function checkListening({ subject, forwardTo }: CommandArguments): void {
  if (!subject) throw new UsageError('listen needs an application: its client id.');
  if (refusalOfAddress(forwardTo, true) !== undefined || !isLoopback(forwardTo)) {
    throw new UsageError('listen needs --forward-to, an address on this machine such as http://localhost:8080/nova.');
  }
}

function requireReadModel({ subject }: CommandArguments): void {
  if (!isReadModel(subject)) throw new UsageError(`rebuild needs a read model: ${READ_MODELS.join(', ')}.`);
}

function checkExport({ format, accounts }: CommandArguments): void {
  const known = exportFormat(format);
  if (accounts !== undefined && known !== 'postings') throw new UsageError('--accounts belongs to --format postings.');
}

export function exportFormat(format: string | undefined): ExportFormat {
  const known = EXPORT_FORMATS.find((name) => name === format);
  if (!known) throw new UsageError(`--format is one of ${EXPORT_FORMATS.join(', ')}.`);
  return known;
}

function timeOf(option: string, text: string | undefined): DayOrMoment | undefined {
  if (text === undefined) return undefined;
  const time = readDayOrMoment(text);
  if (!time) throw new UsageError(`${option} ${text} is not a time. Write 2026-01-31 or 2026-01-31T12:00:00Z.`);
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
