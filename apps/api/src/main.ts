import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type NovaApp } from './create-app.js';
import { openInstallation } from './finance/installation.js';
import { beginSigningOfNew } from './finance/signing.js';
import { type Config, ConfigError, loadConfig } from './platform/config.js';
import { type EmbeddedPostgres, ensurePostgres } from './platform/embedded-postgres.js';
import { errorCode } from './platform/errors/error-code.js';
import { Explained } from './platform/errors/explained.js';
import { explainRefusal } from './platform/journal/open-store.js';

/** Whoever begins to sign the same new journal is done by then. */
const BEGUN_BY_OTHERS_MS = 1_000;
const CLIENT_FOLDER = path.resolve('dist/apps/web');
/** How long open work may take to finish. Then the process ends anyway, which loses no answered request. */
const CLOSE_TIMEOUT_MS = 20_000;
/**
 * The backlog of connections, as far as the system allows (`net.core.somaxconn`): after a restart everybody reconnects
 * at once, and rejected ones retry a second later at the earliest. Node's own default is 511.
 */
const BACKLOG = 4_096;

const JOURNAL_WORKER = new URL('./platform/ledger/journal-worker.js', import.meta.url);

const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const NO_PAYMENTS =
  'Card payments are off: NODE_ENV is production, where nothing stands in for Stripe. To take cards, set STRIPE_SECRET_KEY, ' +
  'STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET (docs/operations.md, Configuration).';

interface Running {
  nova?: NovaApp;
  /** How long it goes on serving when somebody asks it to stop. */
  drainSeconds?: number;
  postgres?: EmbeddedPostgres;
}

const running: Running = {};
let stopping: Promise<never> | undefined;
/** Asked a second time, it stops without waiting. */
const hurry = new AbortController();

async function start(): Promise<void> {
  const config = loadConfig(process.env);
  const databaseUrl = config.databaseUrl ?? (await startPostgres(config));
  if (stopping) return stopping;
  const isOnItsOwn = config.databaseUrl === undefined && config.eventStoreUrl === undefined;
  if (isOnItsOwn && !config.journalKeys.trust()) await signNewJournal(config, databaseUrl);
  running.nova = await createApp({
    config,
    databaseUrl,
    log,
    snapshotWorker: new URL('./platform/ledger/snapshot-worker.js', import.meta.url),
    journalWorker: JOURNAL_WORKER,
    projectionsWorker: new URL('./platform/journal/projections-worker.js', import.meta.url),
    onFatal: (error) => {
      log(`The ledger stopped: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      void stop(1);
    },
    ...(existsSync(CLIENT_FOLDER) ? { clientFolder: CLIENT_FOLDER } : {}),
  });
  if (stopping) return stopping;
  await listen(running.nova, config);
  running.drainSeconds = config.drainSeconds;
  log(`Nova ${config.version} listens on port ${config.port}: ${config.publicUrl}`);
  if (config.production && !config.stripe) log(NO_PAYMENTS);
}

/** Who has the database has the folder of the keys, too: there is nothing that an operator must do first. */
async function signNewJournal({ journalEnvelope, journalKeys: keys }: Config, url: string): Promise<void> {
  const options = { log, journalWorker: JOURNAL_WORKER, eventStoreUrl: undefined, journalEnvelope, keys };
  const installation = await openInstallation(
    { url, stop: () => Promise.resolve() },
    { ...options, everySignature: false },
  );
  try {
    // Another process may have begun at the same time: then there is nothing to do.
    await beginSigningOfNew(installation).catch(() =>
      sleep(BEGUN_BY_OTHERS_MS).then(() => beginSigningOfNew(installation)),
    );
  } finally {
    await installation.close();
  }
}

async function startPostgres({ dataDir }: Config): Promise<string> {
  running.postgres = await ensurePostgres({
    dataDir,
    log,
    onLost: (reason) => {
      log(`Postgres is down and did not come back: ${reason.message}`);
      void stop(1);
    },
  });
  return running.postgres.url;
}

/** On every address of the machine, of both kinds where it has both, unless `HOST` names one. */
async function listen({ app }: NovaApp, { port, host }: Config): Promise<void> {
  try {
    await app.listen({ port, host: host ?? '::', backlog: BACKLOG });
  } catch (error) {
    if (!['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(errorCode(error) ?? '')) throw error;
    if (host !== undefined) throw new ConfigError(`HOST is ${host}, which is no address of this machine.`);
    await app.listen({ port, host: '0.0.0.0', backlog: BACKLOG });
  }
}

/**
 * Tells proxies first and serves on (`drainSeconds`), then answers open requests and closes everything in turn, Postgres last.
 * The first reason to stop counts.
 */
function stop(exitCode: number, drainSeconds = 0): Promise<never> {
  if (stopping) hurry.abort();
  stopping ??= (async () => {
    if (drainSeconds > 0) {
      log(`Stopping in ${drainSeconds} s. Until then everything is served, and /health/ready sends proxies elsewhere.`);
      await running.nova?.drain(drainSeconds, hurry.signal);
    }
    setTimeout(() => {
      log(`Not everything stopped within ${CLOSE_TIMEOUT_MS / 1000} s. Ending anyway.`);
      process.exit(1);
    }, CLOSE_TIMEOUT_MS).unref();
    let code = exitCode;
    for (const part of [() => running.nova?.close(), () => running.postgres?.stop()]) {
      try {
        await part();
      } catch (error) {
        log(`Ending a part failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        code = 1;
      }
    }
    return process.exit(code);
  })();
  return stopping;
}

/** Why the start failed, for people: a sentence if the reason is known, else everything. */
function explain(given: unknown): string {
  const error = explainRefusal(given) ?? given;
  if (error instanceof ConfigError) return `Wrong configuration: ${error.message}`;
  if (error instanceof Explained) return `Nova could not start: ${error.message}`;
  if (errorCode(error) === 'EADDRINUSE') return 'The port is taken by another program: set PORT to a free one.';
  return `Nova could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

// Who presses Ctrl-C sits in front of it and does not want to wait.
process.on('SIGINT', () => void stop(0));
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0, running.drainSeconds));
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    log(`Unforeseen error, stopping: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    void stop(1);
  });
}

try {
  await start();
} catch (error) {
  log(explain(error));
  await stop(1);
}
