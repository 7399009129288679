import type { EventStore, RecordedEvent } from '@app/event-store';
import type { Pool, PoolClient } from 'pg';
import { commitBatch, openBatch } from './checkpoints.js';
import { decodeEvents, eventsFor, lastRevision, prefixesOf } from './decode.js';
import type { ModelRun } from './model-run.js';

export class LostOwnership extends Error {
  override readonly name = 'LostOwnership';
}

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
 * transaction for all of them, in two exchanges with Postgres. Batches are what has come while the one before was applied.
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
      const opened = openBatch(client, { held: runs, position, revision });
      const applied = runs.map(async (run) => {
        await run.applier.apply(client, eventsFor(run.model, run.position, events));
        await run.applier.flush(client);
      });
      const advanced = await allOf(opened, applied);
      const lost = runs.filter(({ name }) => !advanced.has(name));
      if (lost.length > 0) throw new LostOwnership(`of ${lost.map(({ name }) => name).join(', ')}`);
      const names = runs.map(({ name }) => name);
      await commitBatch(client, names, revision);
    } catch (error) {
      discard(client);
      throw error;
    }
    client.release();
    for (const run of runs) run.advanced(position, revision);
    this.options.onAdvance(runs, revision);
  }
}

/** Waits for everything before it throws, so that nothing is still at work with the client. */
async function allOf<T>(first: Promise<T>, others: readonly Promise<void>[]): Promise<T> {
  const [opened, ...applied] = await Promise.allSettled([first, ...others]);
  if (opened.status === 'rejected') throw opened.reason;
  for (const result of applied) if (result.status === 'rejected') throw result.reason;
  return opened.value;
}

/** Closes the connection: with it ends the transaction, whatever of it has reached the server. */
function discard(client: PoolClient): void {
  client.release(true);
}
