import type { EventStore, SubscribeOptions } from '@app/event-store';
import { decodeEvents, prefixesOf } from './decode.js';
import { Lane, type LaneOptions } from './lane.js';
import type { ModelRun } from './model-run.js';

interface FeedOptions extends Pick<LaneOptions, 'pool' | 'runs' | 'onAdvance' | 'isHeard'> {
  readonly store: EventStore;
}

/** Read models that could not be fed, and why. */
export interface FeedFailure {
  readonly runs: readonly ModelRun[];
  readonly error: unknown;
}

/**
 * Feeds the global stream to read models that stand close together: each event is read and decoded once for all of them. What
 * answers wait for is one lane, and its batches are what has come while the one before was applied; the rest is another.
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

  /** @param onEnd with what failed; with nothing after `stop` */
  start(onEnd: (failures: readonly FeedFailure[]) => void): void {
    this.ended = this.follow()
      .catch((error: unknown) => this.fail({ runs: this.runs, error }))
      .then(() => Promise.all(this.lanes.map((lane) => lane.stop())))
      .then(() => onEnd(this.failures));
  }

  /** Finishes the batches under way. */
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

  /** What failed may have taken effect without a word, or was none of theirs: with nothing left to apply they are well. */
  private async recoverAtEnd(extent: SubscribeOptions): Promise<void> {
    const { store, runs } = this.options;
    if (runs.every(({ failures }) => failures === 0)) return;
    for await (const batch of store.readAll({ ...extent, limit: 1 })) if (batch.length > 0) return;
    if (!extent.signal.aborted) for (const run of runs) run.recovered();
  }
}
