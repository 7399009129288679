import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { StoredLedger } from '@app/ledger';
import type { Pool } from 'pg';
import { type CommandArguments, exportFormat, readArguments, UsageError } from './cli-arguments.js';
import { balancesText, findMember, printBooks, printStatement, requireAccount } from './cli-books.js';
import { catchUpReadModels } from './catch-up.js';
import { readSeals } from './checkpoints/seals.js';
import { exportJournal } from './export.js';
import { exportPeriod } from './exports/export-period.js';
import { readOwnAccounts } from './exports/own-accounts.js';
import { FiscalCalendar } from './general-ledger/fiscal-calendar.js';
import { importJournal } from './import.js';
import { AppError } from '../platform/errors/app-error.js';
import { type Config, readSettings } from '../platform/config.js';
import { explainMissingRight } from '../platform/database/database-rights.js';
import { reasonOf } from '../platform/errors/explained.js';
import { SeenHead } from '../platform/ledger/seen-head.js';
import { openStore } from '../platform/journal/open-store.js';
import { requireOwnJournal } from '../platform/journal/require-own-journal.js';
import { reconcileFromTerminal } from '../payments/reconciliation/reconciliation-cli.js';
import { type Database, type Installation, openDatabase, openInstallation } from './installation.js';
import { asJournalOwner, prepareFromTerminal, requireJournalOwned } from './journal-owner.js';
import { BEFORE_EVERYTHING, lastMoment, momentBefore } from './moments.js';
import { moveJournal } from './move-journal.js';
import { closeFromTerminal, publishedPeriods } from './periods/close-cli.js';
import { Progress } from './progress.js';
import { rebuild, sentenceOf } from './rebuild.js';
import { printTrialBalance, replay, trialBalance } from './replay.js';
import { beginSigning, beginSigningAnew, changeSigningKey, signingStatus, statusText, trustOwnKey } from './signing.js';
import { listenFromTerminal } from '../webhooks/listen-cli.js';
import { type FindingVerdict, verdictOn, verify } from './verify.js';

const USAGE = `usage: npm run -s ledger -- COMMAND

  verify [--anchor REVISION:HASH] [--seals WHERE] [--catch-up] [--every-signature]
                                        check the hash chain, the invariants and every read model against the journal; exit status 3
                                        where read models are behind it, as they may be where no server runs: --catch-up brings them up;
                                        WHERE has checkpoints of a signed journal: a folder, a file, or s3://BUCKET of the S3_ settings
  trial-balance [--at TIME | --revision N]
                                        the trial balance by account kind, from the read models
  replay [--at TIME | --revision N]     the same from the events alone
  balance USER [--at TIME | --revision N]
                                        a member's balances, from the events alone; USER is an id or an e-mail address
  statement USER [--from TIME] [--to TIME] [--format csv]
                                        opening balance, turnover and closing balance of a member's accounts; as CSV with every entry
  export --format hledger|beancount|postings|csv|jsonl [--from TIME] [--to TIME] [--accounts FILE]
                                        on standard output: books in Nova and dollars (hledger, beancount), postings in dollars (CSV; FILE
                                        has a line ACCOUNT,NUMBER for each dollar account), or every event (csv, jsonl); with dollars, days are
                                        those of FISCAL_TIME_ZONE
  close [--at TIME]                     close the books up to a moment (the end of yesterday, UTC, without one) and print the seal
  reconcile [--from TIME] [--to TIME]   hold the payment provider's books against the ledger: the last seven days without times
  periods                               seals and roots of all closed periods, for scripts/verify-receipt.mjs
  signing [begin [--anew]|change|trust] who signs the journal, by all its events; begin: sign it from now on; --anew: though its key
                                        is lost; change: by another key; trust: take the key that signs it, and is here, for the journal's
  import FILE [--anchor REVISION:HASH] [--take-future]
                                        a whole JSONL export into an empty system; --take-future: though its last event is dated ahead
  prepare                               the journal in Postgres, for the role of DATABASE_OWNER_URL to own and bring up to date, and
                                        for that of DATABASE_URL, which servers have, to read and append to
  move-journal                          the journal of an installation that is stopped, from Postgres to where EVENTSTORE_URL points
  listen CLIENT_ID --forward-to URL     while developing: sign what a running server tells an application by webhook with a secret that is
                                        printed, send it to an address on this machine, and print each answer, until Ctrl-C
  rebuild NAME|all [--replace]          make read models anew beside the live ones, which go on, and swap in those that are the
                                        same; --replace swaps in those that differ too

TIME is ISO 8601, for example 2026-01-31 (that day, UTC) or 2026-01-31T12:00:00Z; --at and --to include a day whole.`;

const progress = new Progress();
const say = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};

/** Waits for a slow reader: an export may be larger than memory. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

const EXIT_STATUS = { ok: 0, WRONG: 1, BEHIND: 3 } as const;
const CONCLUSION = {
  ok: 'All is well.',
  BEHIND: 'Nothing is wrong, but read models are behind the journal. Start the server, or verify with --catch-up.',
  WRONG: 'Something is wrong: see above.',
} as const;

async function runVerify(
  installation: Installation,
  { anchor: given, seals: where, catchUp }: CommandArguments,
): Promise<number> {
  const onProgress = (what: string, done: number, total: number) => progress.report(what, done, total);
  const seals = where === undefined ? undefined : await readSeals(where, readSettings(process.env).s3);
  if (catchUp) await bringUp(installation);
  const { store, signedStore, journal, pool, databaseUrl: connectionString, keys } = installation;
  const snapshotSigning = keys.snapshotSigning();
  const periodWorker = new URL('./periods/period-audit-worker.js', import.meta.url);
  let worst: FindingVerdict = 'ok';
  const checked = { store, signedStore, journal, periodWorker, pool, connectionString, snapshotSigning, seals };
  const anchor = given ?? (keys.trust() && new SeenHead(keys.folder).head);
  for await (const finding of verify({ ...checked, anchor, onProgress })) {
    progress.end();
    const { what, detail, breaches } = finding;
    const verdict = verdictOn(finding);
    await write(`${verdict.padEnd(6)}  ${what}: ${detail}\n`);
    for (const breach of breaches) await write(`          ${breach}\n`);
    if (worst !== 'WRONG' && verdict !== 'ok') worst = verdict;
  }
  await write(`${CONCLUSION[worst]}\n`);
  return EXIT_STATUS[worst];
}

/** As a start would: read models are never fed from a journal that is not this installation's. */
async function bringUp({
  store: stored,
  signedStore: store,
  pool,
  databaseUrl: connectionString,
}: Installation): Promise<void> {
  await requireOwnJournal(pool, stored, readSettings(process.env).eventStoreUrl);
  const onProgress = (done: number, total: number) => progress.report('Read models: catching up', done, total);
  const logger = {
    info: say,
    error: (message: string, error: unknown) => say(`${message}: ${reasonOf(error)}`),
  };
  await catchUpReadModels({ store, pool, connectionString, logger, onProgress });
  progress.end();
}

/** The ledger's state at the moment that is asked for, every event before it applied. */
async function replayed({ store, journal }: Installation, { moment: { at, revision } }: CommandArguments) {
  const upTo = at ? (await momentBefore(new StoredLedger(store), at.end)).revision : revision;
  const onProgress = (done: number, total: number) => progress.report('Journal', done, total);
  const found = await replay(store, { journal, upTo, onProgress });
  progress.end();
  if (revision !== undefined && found.head.revision < revision) {
    throw new UsageError(`The journal has no revision ${revision}: it ends with ${found.head.revision}.`);
  }
  return found;
}

async function runReplay(installation: Installation, given: CommandArguments): Promise<void> {
  const { state, head } = await replayed(installation, given);
  await write(`${printTrialBalance(trialBalance(state))}\nat revision ${head.revision}, hash ${head.hash}\n`);
}

async function runBalance(installation: Installation, given: CommandArguments): Promise<void> {
  const userId = await findMember(installation, given.subject);
  const { state } = await replayed(installation, given);
  if (!state.hasMember(userId)) {
    await requireAccount(installation, userId);
    say(`The journal does not know ${userId}, or not by that time.`);
  }
  await write(balancesText(state, userId));
}

async function runExport(
  { signedStore: store }: Installation,
  { format, period: asked, accounts: file }: CommandArguments,
): Promise<void> {
  const known = exportFormat(format);
  const accounts = file === undefined ? undefined : readOwnAccounts(await readMapping(file));
  const calendar = new FiscalCalendar(readSettings(process.env).fiscalTimeZone);
  const { from, to } = exportPeriod(asked, known, calendar);
  const ledger = new StoredLedger(store);
  const after = from ? await momentBefore(ledger, from.start) : BEFORE_EVERYTHING;
  const { revision: upTo } = to ? await momentBefore(ledger, to.end) : await lastMoment(ledger);
  const onProgress = (done: number, total: number) => progress.report('Export', done, total);
  const period = { after, upTo, from: from?.start.getTime(), until: to?.end.getTime(), calendar };
  for await (const text of exportJournal(store, known, { ...period, accounts, onProgress })) await write(text);
}

async function readMapping(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`The mapping of accounts could not be read: ${reasonOf(cause)}`, { cause });
  }
}

async function runImport(
  { store, pool, keys }: Installation,
  { subject: path, anchor, takeFuture }: CommandArguments,
): Promise<void> {
  const onProgress = (what: string, done: number, total: number) => progress.report(what, done, total, 'KB');
  const { head, ahead, imported } = await importJournal({
    store,
    pool,
    path,
    anchor,
    takeFuture,
    trust: keys.trust(),
    onProgress,
  });
  progress.end();
  await write(`${imported} events were imported; the journal ends with ${head.revision}:${head.hash}\n`);
  if (ahead !== undefined) say(`Beware: ${ahead}.`);
}

async function runMove(installation: Installation): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.databaseOwnerUrl) return asJournalOwner(settings, ({ pool }) => moveTo(settings, installation, pool));
  await requireJournalOwned(installation.pool);
  return moveTo(settings, installation, installation.pool);
}

async function moveTo(
  { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>,
  { store: from, databaseUrl, keys }: Installation,
  pool: Pool,
): Promise<void> {
  if (!eventStoreUrl) throw new UsageError('move-journal needs EVENTSTORE_URL, the new place of the journal.');
  const to = await openStore({ databaseUrl, eventStoreUrl });
  try {
    const onProgress = (what: string, done: number, total: number) => progress.report(what, done, total);
    const moved = await moveJournal({ from, to, pool, isSigned: keys.trust() !== undefined, onProgress });
    progress.end();
    await write(`${moved} events were moved and compared. Start the servers with this EVENTSTORE_URL, then verify.\n`);
  } finally {
    await to.close();
  }
}

async function runClose(installation: Installation, { moment: { at } }: CommandArguments): Promise<void> {
  const onProgress = (what: string, done: number, total: number) => progress.report(what, done, total);
  const until = at && at.end.getTime() - 1;
  const sealed = await closeFromTerminal({ ...installation, store: installation.signedStore, until, onProgress });
  progress.end();
  await write(`${sealed}\n`);
}

async function runRebuild(
  { signedStore: store, databaseUrl }: Installation,
  { subject, replace }: CommandArguments,
): Promise<number> {
  const onProgress = (what: string, done: number, total: number) => progress.report(what, done, total);
  let sound = true;
  const onDifference = replace ? 'replace' : 'keep';
  for (const outcome of await rebuild({
    store,
    connectionString: databaseUrl,
    name: subject,
    onDifference,
    onProgress,
  })) {
    progress.end();
    await write(`${sentenceOf(outcome)}\n`);
    sound &&= outcome.swapped;
  }
  return sound ? 0 : 1;
}

/** Answers with the exit status; nothing is 0. */
type Run = (installation: Installation, given: CommandArguments) => Promise<number | void>;

async function runReconcile(installation: Installation, { period }: CommandArguments): Promise<number> {
  const onProgress = (lines: number) => progress.report('Reconciliation', lines, lines);
  const { text, sound } = await reconcileFromTerminal({
    ...installation,
    store: installation.signedStore,
    period,
    onProgress,
  });
  progress.end();
  await write(`${text}\n`);
  return sound ? 0 : 1;
}

async function runListen(
  { pool }: Installation,
  { subject: clientId, forwardTo: url }: CommandArguments,
): Promise<void> {
  await listenFromTerminal({ pool, clientId, url, signal: (listening = new AbortController()).signal, write });
}

async function runSigning(installation: Installation, { subject, anew }: CommandArguments): Promise<void> {
  await SIGNING_STEPS.get(anew ? `${subject} anew` : subject)?.(installation);
  await write(statusText(await signingStatus(installation)));
}

const SIGNING_STEPS: ReadonlyMap<string, (installation: Installation) => Promise<void>> = new Map([
  ['begin', beginSigning],
  ['begin anew', beginSigningAnew],
  ['change', changeSigningKey],
  ['trust', trustOwnKey],
]);

const MOVE = 'move-journal';
/** Comes before there is an installation. */
const PREPARE = 'prepare';

/** These tell or mend what is wrong between the journal and what is made of it. The others do nothing with a foreign one. */
const FIT_FOR_ANY_JOURNAL: readonly (string | undefined)[] = ['verify', 'rebuild'];

const COMMANDS: ReadonlyMap<string | undefined, Run> = new Map<string | undefined, Run>([
  ['verify', runVerify],
  ['trial-balance', (installation, given) => printBooks(installation, given, write)],
  ['replay', runReplay],
  ['balance', runBalance],
  ['statement', (installation, given) => printStatement(installation, given, write)],
  ['close', runClose],
  ['reconcile', runReconcile],
  ['periods', async ({ signedStore }) => write(`${await publishedPeriods(signedStore)}\n`)],
  ['export', runExport],
  ['signing', runSigning],
  ['import', runImport],
  ['listen', runListen],
  [MOVE, runMove],
  ['rebuild', runRebuild],
]);

let database: Promise<Database> | undefined;
let ending: Promise<void> | undefined;
/** Of `listen`, which only a signal ends. */
let listening: AbortController | undefined;

/** Ends the database that was started for the command, also where it is still starting. */
const stopDatabase = async (): Promise<void> => (await database?.catch(() => undefined))?.stop();

/** Runs one command; answers with the exit status: 0 only when all is well, 1 when not, 2 for a wrong call, 3: read models are behind. */
async function main(argv: readonly string[]): Promise<number> {
  let installation: Installation | undefined;
  try {
    const given = readArguments(argv);
    if (given.help) {
      await write(`${USAGE}\n`);
      return 0;
    }
    if (given.command === PREPARE) {
      await write(`${await prepareFromTerminal(readSettings(process.env))}\n`);
      return 0;
    }
    const run = COMMANDS.get(given.command);
    if (!run) throw new UsageError(given.command ? `There is no command ${given.command}.\n\n${USAGE}` : USAGE);
    database = openDatabase(say, given.command === 'import');
    const journalWorker = new URL('../platform/ledger/journal-worker.js', import.meta.url);
    const { eventStoreUrl: elsewhere, journalEnvelope, journalKeys: keys } = readSettings(process.env);
    const eventStoreUrl = given.command === MOVE ? undefined : elsewhere;
    const { everySignature } = given;
    const options = { log: say, journalWorker, eventStoreUrl, journalEnvelope, keys, everySignature };
    installation = await openInstallation(await database, options);
    if (!FIT_FOR_ANY_JOURNAL.includes(given.command)) {
      await requireOwnJournal(installation.pool, installation.store, eventStoreUrl);
    }
    return (await run(installation, given)) ?? 0;
  } catch (error) {
    progress.end();
    if (!ending) say(reasonOf(explainMissingRight(error)));
    return isWrongCall(error) ? 2 : 1;
  } finally {
    progress.end();
    await installation?.close();
    await stopDatabase();
  }
}

const isWrongCall = (error: unknown): boolean =>
  error instanceof UsageError || (error instanceof AppError && error.statusCode === 400);

/** Ends this process wherever its command is. A command that breaks off leaves nothing half done. */
async function endWith(status: number): Promise<void> {
  // What loses its connections fails where nobody waits for it.
  process.on('uncaughtException', () => undefined);
  await stopDatabase();
  progress.end();
  process.exit(status);
}

// Often twice: the terminal tells it to npm as well, which passes it on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (listening) listening.abort();
    else ending ??= endWith(128 + constants.signals[signal]);
  });
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`| head`) is no failure of ours.
  const isReadEnough = error.code === 'EPIPE';
  if (!isReadEnough && !ending) say(`The output is incomplete: it could not be written (${reasonOf(error)}).`);
  ending ??= endWith(isReadEnough ? 0 : 1);
});
process.exitCode = await main(process.argv.slice(2));
