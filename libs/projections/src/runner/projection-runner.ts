import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { LEDGER_STREAM } from '@app/domain';
import { type ChannelListener, type EventStore, openPool } from '@app/event-store';
import type { Pool } from 'pg';
import type { ReadModel } from '../read-model.js';
import {
  rebuildReadModels,
  type RebuildOptions,
  type RebuildOutcome,
  type RebuildProgress,
} from '../rebuild/rebuild.js';
import {
  ensureReadModel,
  LostOwnership,
  othersListen,
  readCheckpoints,
  releaseLeases,
  renewLeases,
  requestRebuild,
  takeLeases,
  type Checkpoint,
} from './checkpoints.js';
import { DueRebuilds } from './due-rebuilds.js';
import { Feed, type FeedFailure } from './feed.js';
import { ModelRun } from './model-run.js';
import { hearProgress } from './progress-listener.js';
import { Progress, type Reached } from './progress.js';
import { type ConnectionUse, Projections, type ReadModelStatus } from './projections.js';

/** How often leases are renewed and free ones taken: several times during a lease. */
const TICK_MS = 500;
/**
 * A statement without an answer after this time has lost its connection. Rebuilds, which take long, have their own
 * limit.
 */
const ANSWER_MS_MAX = 20_000;
/** Read models within this distance share a feed; one that is further behind catches up on its own. */
const SHARED_DISTANCE = 5_000;
/** A read model without tables on a journal longer than this is filled by a rebuild. */
const FOLLOW_FROM_START_MAX = 20_000;

/** Within this time after a swap, failures of queries are put down to the swap. */
const SWAP_TROUBLE_MS = 5_000;

export interface ProjectionLogger {
  info(message: string): void;
  error(message: string, error: unknown): void;
}

export interface ProjectionRunnerOptions {
  readonly store: EventStore;
  /** The runner has its own connections, so that it and requests never wait for each other's. */
  readonly connectionString: string;
  readonly models: readonly ReadModel[];
  /** Named `LISTENER_NAME`: hears the progress of other processes. Without it, callers who wait for them poll. */
  readonly listener?: ChannelListener | undefined;
  readonly logger?: ProjectionLogger;
  readonly onRebuildProgress?: (progress: RebuildProgress) => void;
  /** Called whenever read models are known to have advanced. */
  readonly onProgress?: (names: readonly string[], reached: Reached) => void;
}

/**
 * Keeps read models up with the journal (rule ledger-35). Among any number of processes each read model has one owner
 * at a time; the others take over within seconds when it stops. Each event counts once in each read model.
 */
export class ProjectionRunner extends Projections {
  /** Identifies the process in the checkpoints. */
  private readonly owner = `${hostname()}/${process.pid}/${randomUUID()}`;
  private readonly pool: Pool;
  protected readonly progress: Progress;
  private stopHearing: (() => void) | undefined;
  private readonly runs = new Map<string, ModelRun>();
  private readonly rebuilds: DueRebuilds;
  private readonly abort = new AbortController();
  private feeds: Feed[] = [];
  private regroupWanted = true;
  private wake: (() => void) | undefined;
  private supervising: Promise<void> | undefined;
  private lookUnderWay = false;
  /** Whether other processes listen for how far read models are. */
  private isHeard = true;
  private otherVersionSeenAtMs = -Infinity;

  constructor(private readonly options: ProjectionRunnerOptions) {
    super();
    const { connectionString, onProgress } = options;
    this.progress = new Progress(onProgress);
    this.pool = openPool({
      connectionString,
      max: 6,
      application_name: 'nova projections',
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS_MAX,
      query_timeout: ANSWER_MS_MAX,
    });
    this.rebuilds = new DueRebuilds(
      (models) => this.rebuildModels(models),
      (error) => this.options.logger?.error('a rebuild of read models failed and is tried again', error),
    );
  }

  /** Creates missing tables and begins to follow the journal. Resolves before the read models have caught up. */
  async start(): Promise<void> {
    const toBeRebuilt = ((await this.options.store.head(LEDGER_STREAM))?.revision ?? -1) > FOLLOW_FROM_START_MAX;
    const client = await this.pool.connect();
    try {
      for (const model of this.options.models) await ensureReadModel(client, model, { toBeRebuilt });
    } finally {
      client.release();
    }
    const { listener } = this.options;
    this.stopHearing = listener && (await hearProgress(listener, this.progress));
    await this.tick();
    this.supervising = this.supervise();
  }

  /** Finishes the current batches and releases the read models to other processes. */
  async stop(): Promise<void> {
    if (this.abort.signal.aborted) return;
    this.abort.abort();
    this.wake?.();
    this.endWaits();
    await this.supervising;
    await this.stopFeeds();
    await this.rebuilds.settled();
    this.stopHearing?.();
    try {
      await releaseLeases(this.pool, this.owner);
    } catch (error) {
      this.options.logger?.error('read models were not given back: their leases run out by themselves', error);
    }
    await this.pool.end();
  }

  foreignEvents(): number {
    return this.options.store.foreignEvents ?? 0;
  }

  unsigned(): readonly string[] {
    return this.options.store.unsigned ?? [];
  }

  /** The use of the connections that feed read models. */
  connections(): ConnectionUse {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { totalCount, idleCount, waitingCount };
  }

  /** The state of every read model, as far as this process knows. */
  async status(): Promise<ReadModelStatus[]> {
    const underWay = this.rebuilds.underWay();
    return (await this.readAllCheckpoints()).map(({ name, revision, version }) => {
      const run = this.runs.get(name);
      const error = run?.error ?? this.rebuilds.errorOf(name);
      return {
        name,
        revision,
        state: stateOf(run, underWay.has(name)),
        isOfOtherVersion: version !== this.versionOf(name),
        ...(error instanceof Error && { error: error.message }),
      };
    });
  }

  /**
   * Whether a read model is, or was a moment ago, of another release than this program: then tables or columns that a
   * query needs may be missing.
   */
  async isBetweenVersions(): Promise<boolean> {
    const isRecent = (): boolean => performance.now() - this.otherVersionSeenAtMs < SWAP_TROUBLE_MS;
    if (!isRecent()) await this.readAllCheckpoints();
    return isRecent();
  }

  /** Rebuilds read models next to their live versions and swaps them in, whichever process owns them. */
  async rebuild(
    names: readonly string[],
    options: Pick<RebuildOptions, 'onDifference'> = {},
  ): Promise<RebuildOutcome[]> {
    const models = this.options.models.filter(({ name }) => names.includes(name));
    return await this.rebuildModels(models, options);
  }

  /** Asks the owner of a read model to rebuild it. */
  async requestRebuild(name: string): Promise<void> {
    await requestRebuild(this.pool, name);
  }

  private async supervise(): Promise<void> {
    while (!this.abort.signal.aborted) {
      if (this.regroupWanted) await this.regroup();
      await this.sleep(TICK_MS);
      if (this.abort.signal.aborted) return;
      try {
        await this.tick();
      } catch (error) {
        this.options.logger?.error('leases of read models were not renewed', error);
      }
    }
  }

  private sleep(ms: number): Promise<void> {
    if (this.regroupWanted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private wantRegroup(): void {
    this.regroupWanted = true;
    this.wake?.();
  }

  /** Renews leases, takes free ones, and notices lost leases, lost batches, swaps and requests. */
  private async tick(): Promise<void> {
    // For checkpoints that are being swapped, this information may already be out of date.
    const underWay = this.rebuilds.underWay();
    const positions = new Map([...this.runs.values()].map(({ name, position }) => [name, position]));
    const kept = new Map((await renewLeases(this.pool, this.owner)).map((checkpoint) => [checkpoint.name, checkpoint]));
    for (const run of this.runs.values()) {
      const checkpoint = kept.get(run.name);
      if (!checkpoint) this.runs.delete(run.name);
      // The checkpoint is behind its earlier position: a crash of Postgres lost batches (see `openBatch`).
      const wentBack = checkpoint !== undefined && checkpoint.position < (positions.get(run.name) ?? -1n);
      if (!checkpoint || wentBack || run.differsFrom(checkpoint)) this.wantRegroup();
    }
    const missing = this.options.models.filter(({ name }) => !this.runs.has(name));
    const taken = missing.length > 0 ? await takeLeases(this.pool, this.owner, missing) : [];
    // A lease of this process without a run is one that it lost for a moment.
    for (const checkpoint of [...kept.values(), ...taken]) {
      const model = missing.find(({ name }) => name === checkpoint.name);
      if (!model) continue;
      this.runs.set(model.name, new ModelRun(model, checkpoint));
      this.wantRegroup();
    }
    if (this.hasIdleRuns()) this.wantRegroup();
    this.isHeard = await othersListen(this.pool);
    await this.rebuildWhereDue(underWay);
  }

  private hasIdleRuns(): boolean {
    const fed = new Set(this.feeds.flatMap(({ runs }) => runs));
    return [...this.runs.values()].some((run) => run.isReady && !fed.has(run));
  }

  /**
   * The owner rebuilds read models on request. A process of the newer release rebuilds those of an older one, while the
   * process that feeds the older version continues until the swap.
   */
  private async rebuildWhereDue(underWay: ReadonlySet<string>): Promise<void> {
    const stored = await this.readAllCheckpoints();
    const due = stored.filter(
      ({ name, version, owner, rebuildRequested }) =>
        !underWay.has(name) &&
        (version < this.versionOf(name) || (rebuildRequested && owner === this.owner && this.runs.has(name))),
    );
    this.rebuilds.begin(this.options.models.filter(({ name }) => due.some((checkpoint) => checkpoint.name === name)));
  }

  private async readAllCheckpoints(): Promise<Checkpoint[]> {
    const stored = await readCheckpoints(
      this.pool,
      this.options.models.map(({ name }) => name),
    );
    if (stored.some(({ name, version }) => version !== this.versionOf(name))) {
      this.otherVersionSeenAtMs = performance.now();
    }
    return stored;
  }

  private versionOf(name: string): number {
    return this.options.models.find((model) => model.name === name)?.version ?? 0;
  }

  private async rebuildModels(
    models: readonly ReadModel[],
    options: Pick<RebuildOptions, 'onDifference'> = {},
  ): Promise<RebuildOutcome[]> {
    const { store, connectionString, onRebuildProgress, logger } = this.options;
    const outcomes = await rebuildReadModels({
      store,
      connectionString,
      models,
      signal: this.abort.signal,
      ...options,
      ...(onRebuildProgress && { onProgress: onRebuildProgress }),
    });
    for (const { name, swapped, difference } of outcomes) {
      if (swapped) logger?.info(`read model ${name} was rebuilt`);
      if (difference !== undefined) logger?.error(difference, undefined);
    }
    this.wantRegroup();
    return outcomes;
  }

  /** Groups read models at similar positions, and gives each group one feed. */
  private async regroup(): Promise<void> {
    this.regroupWanted = false;
    await this.stopFeeds();
    try {
      await this.reload();
    } catch (error) {
      this.options.logger?.error('checkpoints of read models could not be read', error);
      return;
    }
    for (const runs of groupByDistance([...this.runs.values()].filter((run) => run.isReady))) {
      const { store } = this.options;
      const onAdvance = (advanced: readonly ModelRun[], revision: number | undefined): void =>
        this.onAdvance(feed, advanced, revision);
      const isHeard = (): boolean => this.isHeard;
      const feed: Feed = new Feed({ store, pool: this.pool, runs, onAdvance, isHeard });
      this.feeds.push(feed);
      feed.start((failures) => this.onFeedEnd(feed, failures));
    }
  }

  private async stopFeeds(): Promise<void> {
    const { feeds } = this;
    await Promise.all(feeds.map((feed) => feed.stop()));
    this.feeds = this.feeds.filter((feed) => !feeds.includes(feed));
  }

  /** Reloads checkpoints after swaps, failed batches and unanswered commits. */
  private async reload(): Promise<void> {
    const stored = await readCheckpoints(this.pool, [...this.runs.keys()]);
    for (const checkpoint of stored) {
      const run = this.runs.get(checkpoint.name);
      if (!run) continue;
      if (checkpoint.owner !== this.owner) this.runs.delete(run.name);
      else if (run.differsFrom(checkpoint) || run.position !== checkpoint.position) run.reload(checkpoint);
      this.heardOf(checkpoint);
    }
  }

  private heardOf({ name, revision, position }: Checkpoint): void {
    this.progress.reached([name], { revision, position });
  }

  private onAdvance(feed: Feed, runs: readonly ModelRun[], revision: number | undefined): void {
    // All of them are at the end of the same batch.
    const [first] = runs;
    const names = runs.map(({ name }) => name);
    this.progress.reached(names, { revision, position: first?.position });
    if (this.feeds.length > 1 && this.meetsAnother(feed)) this.wantRegroup();
  }

  private meetsAnother(feed: Feed): boolean {
    const [mine] = feed.runs;
    return this.feeds.some(({ runs: [other] }) => {
      if (!mine || !other || mine === other || mine.failures > 0 || other.failures > 0) return false;
      return Math.abs(mine.revision - other.revision) <= SHARED_DISTANCE;
    });
  }

  private onFeedEnd(feed: Feed, failures: readonly FeedFailure[]): void {
    this.feeds = this.feeds.filter((other) => other !== feed);
    if (this.abort.signal.aborted || failures.length === 0) return;
    for (const { runs, error } of failures) {
      if (error instanceof LostOwnership) {
        for (const run of runs) run.epoch = -1n;
        continue;
      }
      for (const run of runs) run.failed(error, { isAlone: runs.length === 1 });
      this.options.logger?.error(`read models ${runs.map(({ name }) => name).join(', ')} failed`, error);
    }
    this.wantRegroup();
  }

  protected isFedHere(name: string): boolean {
    return this.runs.has(name);
  }

  /** Asks the database for the progress of these read models, if other processes feed them. */
  async look(awaited: readonly string[]): Promise<void> {
    const names = awaited.filter((name) => !this.isFedHere(name));
    if (names.length === 0 || this.lookUnderWay) return;
    this.lookUnderWay = true;
    try {
      for (const checkpoint of await readCheckpoints(this.pool, names)) this.heardOf(checkpoint);
    } catch {
      // The database does not answer: waiting callers get their answer from the next poll, or when their time is up.
    } finally {
      this.lookUnderWay = false;
    }
  }
}

function stateOf(run: ModelRun | undefined, isBeingRebuilt: boolean): ReadModelStatus['state'] {
  if (isBeingRebuilt) return 'rebuilding';
  if (!run) return 'standby';
  return run.error === undefined ? 'live' : 'failing';
}

/**
 * The first group holds the most advanced read model and those close to it. A read model that failed is on its own
 * until it succeeds.
 */
function groupByDistance(runs: readonly ModelRun[]): ModelRun[][] {
  const groups: ModelRun[][] = runs.filter(({ failures }) => failures > 0).map((run) => [run]);
  const sound = runs.filter(({ failures }) => failures === 0).toSorted((a, b) => b.revision - a.revision);
  let group: ModelRun[] | undefined;
  for (const run of sound) {
    const [first] = group ?? [];
    if (group && first && first.revision - run.revision <= SHARED_DISTANCE) group.push(run);
    else groups.push((group = [run]));
  }
  return groups;
}
