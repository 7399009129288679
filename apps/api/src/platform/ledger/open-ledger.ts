import {
  type EnvelopeVersion,
  type JournalTrust,
  LedgerWriter,
  PostgresClock,
  PostgresSnapshots,
  PostgresTurn,
  ThreadedJournal,
} from '@app/ledger';
import { type EventStore, openPool, StreamEnd } from '@app/event-store';
import { LEDGER_STREAM } from '@app/domain';
import { type ConnectionUse, KeyIndexQueries } from '@app/projections';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { startSigned } from './journal-keys.js';
import { SeenHead } from './seen-head.js';
import { SnapshotWorker } from './snapshot-worker-thread.js';

/** Clock and key look-ups: none of them waits for another for long. */
const CONNECTIONS = 2;
/** A statement that is not answered by then has lost its connection. */
const ANSWER_MS_MAX = 10_000;
const CONNECT_MS_MAX = 5_000;
const PROGRESS_EVERY = 100_000;

export interface LedgerOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly store: EventStore;
  readonly envelope: EnvelopeVersion;
  readonly logger: Logger;
  readonly log?: ((line: string) => void) | undefined;
  /** The compiled snapshot worker; without it no snapshots are written, and starts read the whole journal. */
  readonly snapshotWorker?: URL | undefined;
  /** The compiled thread that reads the journal at a long start; without it the start reads alone. */
  readonly journalWorker?: URL | undefined;
  /** The ledger's state can no longer be trusted: the process must end. */
  readonly onFatal: (error: unknown) => void;
}

export interface OpenLedger {
  readonly writer: LedgerWriter;
  readonly clock: PostgresClock;
  readonly connections: ConnectionUse;
  /** Whose signatures hold; undefined while nothing says by whom the journal should be signed. */
  readonly trust: JournalTrust | undefined;
  /** Events that were read here since the newest snapshot and that no command can have made: `verify` names them. */
  readonly breaches: number;
  /** Finishes the batch under way and lets everything go. */
  close(): Promise<void>;
}

/** Loads the ledger's state and takes commands from then on. Its tables are there already: see `SCHEMA`. */
export async function openLedger(options: LedgerOptions): Promise<OpenLedger> {
  const { config, databaseUrl, store, envelope, logger, log, journalWorker, onFatal } = options;
  const address = { databaseUrl, eventStoreUrl: config.eventStoreUrl };
  const connection = {
    connectionString: databaseUrl,
    application_name: 'ledger',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS_MAX,
  };
  const onBroken = (error: Error): void => logger.warn({ err: error }, 'a connection of the ledger ended');
  const pool = openPool({ ...connection, max: CONNECTIONS, pipeline: true, query_timeout: ANSWER_MS_MAX }, onBroken);
  // Copied, which no connection does in pipeline mode, and by a clock of their own. Idle, this pool has no connection.
  const snapshotPool = openPool({ ...connection, max: 1 }, onBroken);
  const trust = config.journalKeys.trust();
  const isJournalHere = config.eventStoreUrl === undefined;
  const turn = new PostgresTurn(connection, isJournalHere ? new StreamEnd(LEDGER_STREAM) : undefined);
  const clock = new PostgresClock(pool);
  const onUnreadable = (error: unknown): void => {
    logger.warn({ err: error }, 'a snapshot of the ledger cannot be read: an older one or the journal itself is used');
  };
  let said = 0;
  const writer = new LedgerWriter({
    store,
    envelope,
    clock,
    keyIndex: new KeyIndexQueries(pool),
    turn,
    snapshots: new PostgresSnapshots(snapshotPool, onUnreadable, config.journalKeys.snapshotSigning()),
    ...(journalWorker && { journal: new ThreadedJournal(store, address, journalWorker, { trust }) }),
    signerFor: config.journalKeys.signerFor,
    trust,
    onHalt: (reason) => logger.error({ err: reason }, 'nothing is written to the journal for now'),
    onFatal,
    onProgress: (revision) => {
      if (revision - said < PROGRESS_EVERY) return;
      said = revision;
      log?.(`Reading the journal: ${revision} events`);
    },
  });
  const seen = new SeenHead(config.journalKeys.folder);
  try {
    if (trust) await seen.requireIn(store);
    await clock.start();
    await startSigned(writer, config.journalKeys);
  } catch (error) {
    clock.stop();
    await Promise.all([pool.end(), snapshotPool.end(), turn.close()]);
    throw error;
  }
  const snapshots = options.snapshotWorker && new SnapshotWorker(options.snapshotWorker, options);
  const stopSeeing =
    trust && seen.follow(writer, (error) => logger.warn({ err: error }, 'the file seen-head was not written'));
  const close = async (): Promise<void> => {
    await writer.stop();
    await stopSeeing?.();
    await snapshots?.stop();
    clock.stop();
    await Promise.all([pool.end(), snapshotPool.end(), turn.close()]);
  };
  return {
    writer,
    clock,
    connections: pool,
    trust,
    get breaches() {
      return snapshots?.breaches ?? 0;
    },
    close,
  };
}
