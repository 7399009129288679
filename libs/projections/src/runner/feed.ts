import type { EventStore, RecordedEvent } from '@app/event-store';
import type { Client, Pool } from 'pg';
import type { BatchClient, ProjectedEvent } from '../read-model.js';
import { commitBatch, openBatch } from './checkpoints.js';
import { decodeEvents, eventsFor, lastRevision, prefixesOf } from './decode.js';
import type { ModelRun } from './model-run.js';

export interface FeedOptions {
  readonly store: EventStore;
  /** Clients in pipeline mode. */
  readonly pool: Pool;
  readonly runs: readonly ModelRun[];
  /** After each batch, once it is committed. */
  readonly onAdvance: (runs: readonly ModelRun[], revision: number | undefined) => void;
}

/**
 * Feeds the global stream to read models that stand close together: each event is decoded once, and each batch is one
 * transaction for all of them. Batches are what has come while the one before was applied.
 */
export class Feed {
  private readonly abort = new AbortController();
  private ended: Promise<void> | undefined;

  constructor(private readonly options: FeedOptions) {}

  get runs(): readonly ModelRun[] {
    return this.options.runs;
  }

  /** @param onEnd with an error when a batch failed; without one after `stop` */
  start(onEnd: (error?: unknown) => void): void {
    this.ended = this.follow().then(
      () => onEnd(),
      (error: unknown) => onEnd(error),
    );
  }

  /** Finishes the batch under way. */
  async stop(): Promise<void> {
    this.abort.abort();
    await this.ended;
  }

  private async follow(): Promise<void> {
    const { store, runs } = this.options;
    const { signal } = this.abort;
    const start = runs.reduce((least, { position }) => (position < least ? position : least), runs[0]?.position ?? -1n);
    const streamPrefixes = prefixesOf(runs.map(({ model }) => model));
    const after = start < 0n ? {} : { after: start };
    for await (const batch of store.subscribeAll({ ...after, streamPrefixes, signal })) {
      await this.apply(batch);
      if (signal.aborted) return;
    }
  }

  private async apply(batch: readonly RecordedEvent[]): Promise<void> {
    const position = batch.at(-1)?.position;
    if (position === undefined) return;
    const runs = this.options.runs.filter((run) => run.position < position);
    if (runs.length === 0) return;
    const events = decodeEvents(batch);
    const revision = lastRevision(events);
    const client = await this.options.pool.connect();
    try {
      await applyBatch(client, { runs, events, position, revision });
    } catch (error) {
      // With the connection ends the transaction, whatever of it has reached the server.
      client.release(true);
      throw error;
    }
    client.release();
    for (const run of runs) run.advanced(position, revision);
    this.options.onAdvance(runs, revision);
  }
}

interface BatchOfRuns {
  readonly runs: readonly ModelRun[];
  readonly events: readonly ProjectedEvent[];
  readonly position: bigint;
  readonly revision: number | undefined;
}

/**
 * One transaction in one exchange with Postgres, where no read model has to look for rows: checkpoints, rows and commit are
 * on their way together. Whatever fails in it makes the commit a rollback.
 */
async function applyBatch(connection: Client, { runs, events, position, revision }: BatchOfRuns): Promise<void> {
  let committing = false;
  const client: BatchClient = {
    pipeline: connection.pipeline,
    query: ((...query: Parameters<Client['query']>) => {
      // It would be carried out after the commit, on its own.
      if (committing) throw new Error('a read model sent a statement after its flush had returned');
      return connection.query(...query);
    }) as Client['query'],
  };
  const opened = openBatch(client, { held: runs, position, revision });
  // Its failure is looked at below, together with what else fails because of it.
  opened.catch(() => undefined);
  const applied = runs.map((run) => run.applier.apply(client, eventsFor(run.model, run.position, events)));
  const underWay = [opened, ...applied];
  if (await allFulfilled(applied)) {
    let hasFailed = false;
    for (const run of runs) {
      const flushed = run.applier.flush(client);
      flushed.catch(() => (hasFailed = true));
      underWay.push(flushed);
    }
    // A flush that failed before all of it was sent has said so by the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (!hasFailed) {
      const names = runs.map(({ name }) => name);
      underWay.push(commitBatch(client, names, revision));
      committing = true;
    }
  }
  await allOf(underWay);
}

async function allFulfilled(underWay: readonly Promise<void>[]): Promise<boolean> {
  return (await Promise.allSettled(underWay)).every(({ status }) => status === 'fulfilled');
}

/** Waits for everything before it throws, so that nothing is still at work with the client. */
async function allOf(underWay: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(underWay)) if (result.status === 'rejected') throw result.reason;
}
