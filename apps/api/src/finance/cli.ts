import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Money, type LedgerState } from '@app/domain';
import type { JournalHead } from '@app/ledger';
import { EXPORT_FORMATS, journalWriters, type ExportFormat } from './export.js';
import { closeFromTerminal, publishedPeriods } from './periods/close-cli.js';
import { openInstallation, type Installation } from './installation.js';
import { walkJournal } from './journal-walk.js';
import { Progress } from './progress.js';
import { printTrialBalance, replay, trialBalance } from './replay.js';
import { verify } from './verify.js';

const USAGE = `usage: npm run ledger -- COMMAND

  verify [--anchor REVISION:HASH]       check the hash chain, the invariants and every read model against the journal
  replay [--at TIME]                    the trial balance by account kind, from the events alone
  balance USER [--at TIME]              a member's balances; USER is an id or an e-mail address
  export --format hledger|csv|jsonl [--at TIME]
                                        every event on standard output
  close [--at TIME]                     close the books up to a moment (the end of yesterday, UTC, without one) and print the seal
  periods                               seals and roots of all closed periods, for scripts/verify-receipt.mjs

TIME is ISO 8601, for example 2026-01-31 (the end of that day, UTC) or 2026-01-31T12:00:00Z.`;

/** What the caller got wrong, in a sentence; exit status 2. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

const progress = new Progress();
const say = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};

/** Waits for a slow reader: an export may be larger than memory. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** The last millisecond that counts: of a day when only a date is given. */
function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = Date.parse(day ? `${text}T23:59:59.999Z` : text);
  if (Number.isNaN(time)) throw new UsageError(`--at ${text} is not a time: write 2026-01-31 or 2026-01-31T12:00:00Z.`);
  return time;
}

function parseAnchor(text: string | undefined): JournalHead | undefined {
  if (text === undefined) return undefined;
  const [, revision, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!revision || !hash) throw new UsageError('--anchor is REVISION:HASH as an earlier verify printed it.');
  return { revision: Number(revision), hash };
}

async function runVerify(
  { store, pool, databaseUrl }: Installation,
  anchor: JournalHead | undefined,
): Promise<boolean> {
  let sound = true;
  const onProgress = (what: string, done: number, total: number) => progress.report(what, done, total);
  for await (const finding of verify({ store, pool, connectionString: databaseUrl, anchor, onProgress })) {
    progress.end();
    const { what, detail, breaches } = finding;
    await write(`${breaches.length ? 'WRONG' : 'ok   '}  ${what}: ${detail}\n`);
    for (const breach of breaches) await write(`         ${breach}\n`);
    sound &&= breaches.length === 0;
  }
  await write(sound ? 'All is well.\n' : 'Something is wrong: see above.\n');
  return sound;
}

const replayed = (installation: Installation, until: number | undefined) =>
  replay(installation.store, { until, onProgress: (done, total) => progress.report('Journal', done, total) });

async function runReplay(installation: Installation, until: number | undefined): Promise<boolean> {
  const { state, head } = await replayed(installation, until);
  progress.end();
  await write(`${printTrialBalance(trialBalance(state))}\nat revision ${head.revision}, hash ${head.hash}\n`);
  return true;
}

async function findMember({ pool }: Installation, user: string): Promise<string> {
  if (!user.includes('@')) return user;
  const { rows } = await pool.query<{ id: string }>('select id from accounts where email_key = lower($1)', [user]);
  if (!rows[0]) throw new UsageError(`No member has the e-mail address ${user}.`);
  return rows[0].id;
}

function printBalances(state: LedgerState, userId: string): string {
  const line = (label: string, minor: bigint, currency: 'NOVA' | 'KARMA' | 'INFLUENCE' | 'SEYVN' = 'NOVA') =>
    `${label.padEnd(12)} ${Money.ofMinor(minor, currency).toString().padStart(24)} ${currency}\n`;
  return [
    line('Nova balance', state.novaBalance(userId)),
    line('  purchased', state.balance(userId, 'purchased')),
    line('  earned', state.balance(userId, 'earned')),
    line('  owed', state.owed(userId)),
    line('pending', state.balance(userId, 'pending')),
    line('karma', state.balance(userId, 'karma'), 'KARMA'),
    line('influence', state.balance(userId, 'influence'), 'INFLUENCE'),
    line('seyvn', state.balance(userId, 'seyvn'), 'SEYVN'),
  ].join('');
}

async function runBalance(installation: Installation, user: string | undefined, until: number | undefined) {
  if (!user) throw new UsageError('balance needs a member: an id or an e-mail address.');
  const userId = await findMember(installation, user);
  const { state } = await replayed(installation, until);
  progress.end();
  if (!state.hasMember(userId)) say(`The journal does not know ${userId}${until ? ' at that time' : ''}.`);
  await write(printBalances(state, userId));
  return true;
}

async function runExport({ store }: Installation, format: string | undefined, until: number | undefined) {
  const known = EXPORT_FORMATS.find((name): name is ExportFormat => name === format);
  if (!known) throw new UsageError(`--format is one of ${EXPORT_FORMATS.join(', ')}.`);
  const { header, event } = journalWriters[known];
  await write(header);
  const onProgress = (done: number, total: number) => progress.report('Export', done, total);
  for await (const walked of walkJournal(store, { until, onProgress })) await write(event(walked));
  progress.end();
  return true;
}

async function runClose({ store, pool }: Installation, until: number | undefined): Promise<boolean> {
  const onProgress = (what: string, done: number, total: number) => progress.report(what, done, total);
  const sealed = await closeFromTerminal({ store, pool, until, onProgress });
  progress.end();
  return print(sealed);
}

async function print(text: string): Promise<boolean> {
  await write(`${text}\n`);
  return true;
}

/** Each command, once its arguments are known to be right; true when all is well. */
function commandOf(argv: readonly string[]): (installation: Installation) => Promise<boolean> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { at: { type: 'string' }, format: { type: 'string' }, anchor: { type: 'string' } },
  });
  const until = parseTime(values.at);
  const anchor = parseAnchor(values.anchor);
  const [command, user] = positionals;
  const commands = new Map<string | undefined, (installation: Installation) => Promise<boolean>>([
    ['verify', (installation) => runVerify(installation, anchor)],
    ['replay', (installation) => runReplay(installation, until)],
    ['balance', (installation) => runBalance(installation, user, until)],
    ['close', (installation) => runClose(installation, until)],
    ['periods', async ({ store }) => print(await publishedPeriods(store))],
    ['export', (installation) => runExport(installation, values.format, until)],
  ]);
  const run = commands.get(command);
  if (!run) throw new UsageError(command ? `There is no command ${command}.\n\n${USAGE}` : USAGE);
  return run;
}

/** Runs one command; answers with the exit status: 0 only when all is well, 1 when not, 2 for a wrong call. */
async function main(argv: readonly string[]): Promise<number> {
  let installation: Installation | undefined;
  try {
    const command = commandOf(argv);
    installation = await openInstallation(say);
    return (await command(installation)) ? 0 : 1;
  } catch (error) {
    progress.end();
    const wrongCall = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
    say(error instanceof Error ? error.message : String(error));
    return wrongCall ? 2 : 1;
  } finally {
    progress.end();
    await installation?.close();
  }
}

// A reader that has seen enough (`| head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await main(process.argv.slice(2));
