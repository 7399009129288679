import type { Client, Pool } from 'pg';
import type { BatchClient, ProjectedEvent } from '../read-model.js';
import { commitBatch, type News, openBatch } from './checkpoints.js';
import { eventsFor, lastRevision } from './decode.js';
import type { ModelRun } from './model-run.js';

/** After a batch of read models that nobody waits for: Postgres has less to do for fewer, larger batches. */
const REST_MS = 20;
/** With more than that to do they do not rest. */
const REST_BELOW = 500;
/** With more than that to do nothing is read for them. */
const WAITING_MAX = 4_000;

export interface LaneOptions {
  /** Clients in pipeline mode. */
  readonly pool: Pool;
  readonly runs: readonly ModelRun[];
  /** Nobody waits for them (`ReadModel`, `isBackground`). */
  readonly isBackground: boolean;
  /** After each batch, once it is committed. */
  readonly onAdvance: (runs: readonly ModelRun[], revision: number | undefined) => void;
  readonly onFailure: (error: unknown) => void;
  /** Whether other processes listen for how far read models are. */
  readonly isHeard: () => boolean;
}

/** Read models of a feed that are written in the same transactions. A batch is what has come while the one before was applied. */
export class Lane {
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

  /** Finishes the batch under way. */
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
    // Nobody waits for what is in the background: to tell of it would wake every connection that listens.
    const isTold = revision !== undefined && !isBackground && isHeard();
    const news = isTold ? { names: runs.map(({ name }) => name), revision } : undefined;
    const client = await this.options.pool.connect();
    try {
      await applyBatch(client, { runs, events, position, revision, news });
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
  readonly news: News | undefined;
}

/**
 * One transaction in one exchange with Postgres, where no read model has to look for rows: checkpoints, rows and commit are
 * on their way together. Whatever fails in it makes the commit a rollback.
 */
async function applyBatch(connection: Client, { runs, events, position, revision, news }: BatchOfRuns): Promise<void> {
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
      underWay.push(commitBatch(client, news));
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
