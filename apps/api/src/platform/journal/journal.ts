import type { ChannelListener, EventStore, RecordedEvent, StoreAddress } from '@app/event-store';
import { type EnvelopeVersion, type JournalTrust, type LedgerEvents, markOf, SignedStore } from '@app/ledger';
import {
  type Projections,
  ProjectionRunner,
  readModels,
  type RebuildProgress,
  ThreadedProjections,
} from '@app/projections';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { openStore } from './open-store.js';
import { requireOwnJournal } from './require-own-journal.js';
import { chosenEnvelope } from './stream-metadata.js';

/** The event store and the read models made from it. */
export interface Journal {
  readonly store: EventStore;
  readonly projections: Projections;
  /** How metadata is written, decided at the start. */
  readonly envelope: EnvelopeVersion;
}

export interface JournalOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly listener: ChannelListener;
  readonly logger: Logger;
  readonly log?: ((line: string) => void) | undefined;
  /** The compiled thread that feeds the read models; without it they are fed beside the requests. */
  readonly projectionsWorker?: URL | undefined;
}

/**
 * Opens the event store and sets the read models going. Their tables' schema is there already: see `SCHEMA`.
 * @throws Explained the store does not answer, or has not what the read models were made of
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { config, databaseUrl, pool, listener, logger } = options;
  const { signerFor } = config.journalKeys;
  const trust = config.journalKeys.trust();
  const opened = await openStore({ databaseUrl, eventStoreUrl: config.eventStoreUrl, listener });
  const onStopped = (reason: Error) => logger.error({ err: reason }, 'readers of all streams are told nothing for now');
  const onUnsigned = ({ stream, revision, type, metadata }: RecordedEvent) =>
    logger.error({ stream, revision, type, key: markOf(metadata)?.key }, 'an event that nobody signed is passed over');
  const store = trust ? new SignedStore(opened, { trust, onStopped, onUnsigned, signerFor }) : opened;
  const projections = makeProjections(store, options);
  try {
    await requireOwnJournal(pool, opened, config.eventStoreUrl);
    const envelope = trust ? 2 : await chosenEnvelope(store, config.journalEnvelope);
    await projections.start();
    return { store, projections, envelope };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function makeProjections(store: EventStore, options: JournalOptions): Projections {
  const { databaseUrl, listener, logger, log, projectionsWorker: entry } = options;
  const common = {
    listener,
    logger: {
      info: (message: string) => logger.info(message),
      error: (message: string, error: unknown) => logger.error({ err: error }, message),
    },
    ...(log ? { onRebuildProgress: rebuildLines(log) } : {}),
  };
  return entry
    ? new ThreadedProjections({ entry, errand: errandOf(options), ...common })
    : new ProjectionRunner({ store, connectionString: databaseUrl, models: readModels, ...common });
}

/** Once nothing appends any more. */
export async function closeJournal({ store, projections }: Journal): Promise<void> {
  await projections.stop();
  await store.close();
}

/** How many ledger events each read model is behind, by its name. */
export async function projectionLags(
  ledger: Pick<LedgerEvents, 'head'>,
  projections: Projections,
): Promise<Map<string, number>> {
  const [head, status] = await Promise.all([ledger.head(), projections.status()]);
  const last = head?.revision ?? -1;
  return new Map(status.map(({ name, revision }) => [name, Math.max(0, last - revision)]));
}

/** What the thread of the read models is told. */
export interface ProjectionsErrand extends StoreAddress {
  readonly trust: JournalTrust | undefined;
}

const errandOf = ({ config, databaseUrl }: JournalOptions): ProjectionsErrand => ({
  databaseUrl,
  eventStoreUrl: config.eventStoreUrl,
  trust: config.journalKeys.trust(),
});

const LINE_EVERY_MS = 2_000;

function rebuildLines(log: (line: string) => void): (progress: RebuildProgress) => void {
  let saidAt = 0;
  return ({ names, phase, eventsDone, eventsTotal, eventsPerSecond }) => {
    const now = performance.now();
    if (phase !== 'done' && now - saidAt < LINE_EVERY_MS) return;
    saidAt = now;
    log(
      `Rebuilding ${names.join(', ')}: ${phase}, ${eventsDone} of ${eventsTotal} events (${Math.round(eventsPerSecond)}/s)`,
    );
  };
}
