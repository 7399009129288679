import type { EventStore, SubscribeOptions } from '@app/event-store';
import type { Client, Pool } from 'pg';
import type { BatchClient, ProjectedEvent } from '../read-model.js';
import { commitBatch, type News, openBatch } from './checkpoints.js';
import { decodeEvents, eventsFor, lastRevision, prefixesOf } from './decode.js';
import type { ModelRun } from './model-run.js';

/** The pause after a batch of read models that nobody waits for: fewer, larger batches cost Postgres less. */
const REST_MS = 20;
/** With more waiting events than this they do not pause. */
const REST_BELOW = 500;
/** With more waiting events than this nothing more is read for them. */
const WAITING_MAX = 4_000;

interface LaneOptions {
  /** Clients in pipeline mode. */
  readonly pool: Pool;
  readonly runs: readonly ModelRun[];
  /** Whether nobody waits for them (`ReadModel`, `isBackground`). */
  readonly isBackground: boolean;
  /** Called after each batch, once it is committed. */
  readonly onAdvance: (runs: readonly ModelRun[], revision: number | undefined) => void;
  readonly onFailure: (error: unknown) => void;
  /** Whether other processes listen for the progress of read models. */
  readonly isHeard: () => boolean;
}

/**
 * Read models of a feed that are written in the same transactions. A batch holds the events that arrived while the one
 * before was applied.
 */
class Lane {
  private waiting: ProjectedEvent[] = [];
  private working: Promise<void> | undefined;
  private wake: (() => void) | undefined;
  private ended = false;

  constructor(private readonly options: LaneOptions) {}

  /** Resolves when it is ready for more. Never rejects. */
  async take(events: readonly ProjectedEvent[]): Promise<void> {
    for (const event of events) this.waiting.push(event);
    if (this.waiting.length >= REST_BELOW) this.wake?.();
    if (this.waiting.length > 0 && !this.ended) this.working ??= this.work();
    if (!this.options.isBackground || this.waiting.length > WAITING_MAX) await this.working;
  }

  /** Finishes the current batch. */
  async stop(): Promise<void> {
    this.ended = true;
    this.wake?.();
    await this.working;
  }

  private async work(): Promise<void> {
    try {
      while (this.waiting.length > 0 && !this.ended) {
        await this.apply(this.waiting.splice(0));
        if (this.options.isBackground && this.waiting.length < REST_BELOW) await this.rest();
      }
    } catch (error) {
      this.ended = true;
      this.options.onFailure(error);
    } finally {
      this.working = undefined;
    }
  }

  private rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, REST_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.ended) this.wake();
    });
  }

  private async apply(events: readonly ProjectedEvent[]): Promise<void> {
    const position = events.at(-1)?.recorded.position;
    if (position === undefined) return;
    const runs = this.options.runs.filter((run) => run.position < position);
    if (runs.length === 0) return;
    const revision = lastRevision(events);
    const { isBackground, isHeard } = this.options;
    // Nobody waits for background read models, and a notification would wake every listening connection.
    const isTold = revision !== undefined && !isBackground && isHeard();
    const news = isTold ? { names: runs.map(({ name }) => name), revision } : undefined;
    const client = await this.options.pool.connect();
    try {
      await applyBatch(client, { runs, events, position, revision, news });
    } catch (error) {
      // The transaction ends with the connection, however much of it has reached the server.
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
  readonly news: News | undefined;
}

/**
 * Applies a batch in one transaction. If no read model has to look up rows, that is one exchange with Postgres:
 * checkpoints, rows and commit are sent together. Any failure turns the commit into a rollback.
 */
async function applyBatch(connection: Client, { runs, events, position, revision, news }: BatchOfRuns): Promise<void> {
  let committing = false;
  const client: BatchClient = {
    pipeline: connection.pipeline,
    query: ((...query: Parameters<Client['query']>) => {
      // It would be executed after the commit, outside the transaction.
      if (committing) throw new Error('a read model sent a statement after its flush had returned');
      return connection.query(...query);
    }) as Client['query'],
  };
  const opened = openBatch(client, { held: runs, position, revision });
  // Its failure is handled below, together with the failures that follow from it.
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
    // A flush that failed before everything was sent has rejected by the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (!hasFailed) {
      underWay.push(commitBatch(client, news));
      committing = true;
    }
  }
  await allOf(underWay);
}

async function allFulfilled(underWay: readonly Promise<void>[]): Promise<boolean> {
  return (await Promise.allSettled(underWay)).every(({ status }) => status === 'fulfilled');
}

/** Waits for everything before it throws, so that nothing still uses the client. */
async function allOf(underWay: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(underWay)) if (result.status === 'rejected') throw result.reason;
}

interface FeedOptions extends Pick<LaneOptions, 'pool' | 'runs' | 'onAdvance' | 'isHeard'> {
  readonly store: EventStore;
}

/** Read models that could not be fed, and why. */
export interface FeedFailure {
  readonly runs: readonly ModelRun[];
  readonly error: unknown;
}

/**
 * Feeds the global stream to read models at similar positions: each event is read and decoded once for all of them.
 * Read models that requests wait for form one lane, whose batches hold the events that arrived while the one before was
 * applied. The others form a second lane.
 */
export class Feed {
  private readonly abort = new AbortController();
  private readonly lanes: readonly Lane[];
  private readonly failures: FeedFailure[] = [];
  private ended: Promise<void> | undefined;

  constructor(private readonly options: FeedOptions) {
    const { pool, runs, onAdvance, isHeard } = options;
    this.lanes = [false, true]
      .map((isBackground) => ({
        isBackground,
        runs: runs.filter(({ model }) => !!model.isBackground === isBackground),
      }))
      .filter((lane) => lane.runs.length > 0)
      .map((lane) => {
        const onFailure = (error: unknown): void => this.fail({ runs: lane.runs, error });
        return new Lane({ ...lane, pool, onAdvance, onFailure, isHeard });
      });
  }

  get runs(): readonly ModelRun[] {
    return this.options.runs;
  }

  /** @param onEnd gets the failures; none after `stop` */
  start(onEnd: (failures: readonly FeedFailure[]) => void): void {
    this.ended = this.follow()
      .catch((error: unknown) => this.fail({ runs: this.runs, error }))
      .then(() => Promise.all(this.lanes.map((lane) => lane.stop())))
      .then(() => onEnd(this.failures));
  }

  /** Finishes the current batches. */
  async stop(): Promise<void> {
    this.abort.abort();
    await this.ended;
  }

  private fail(failure: FeedFailure): void {
    this.failures.push(failure);
    this.abort.abort();
  }

  private async follow(): Promise<void> {
    const { store, runs } = this.options;
    const { signal } = this.abort;
    const start = runs.reduce((least, { position }) => (position < least ? position : least), runs[0]?.position ?? -1n);
    const streamPrefixes = prefixesOf(runs.map(({ model }) => model));
    const extent = { ...(start >= 0n && { after: start }), streamPrefixes, signal };
    await this.recoverAtEnd(extent);
    for await (const batch of store.subscribeAll(extent)) {
      const events = decodeEvents(batch);
      await Promise.all(this.lanes.map((lane) => lane.take(events)));
      if (signal.aborted) return;
    }
  }

  /**
   * A failed batch may have taken effect unnoticed, or another read model may have failed it. With nothing left to
   * apply they have recovered.
   */
  private async recoverAtEnd(extent: SubscribeOptions): Promise<void> {
    const { store, runs } = this.options;
    if (runs.every(({ failures }) => failures === 0)) return;
    for await (const batch of store.readAll({ ...extent, limit: 1 })) if (batch.length > 0) return;
    if (!extent.signal.aborted) for (const run of runs) run.recovered();
  }
}
