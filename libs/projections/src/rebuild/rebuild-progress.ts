import { LEDGER_STREAM } from '@app/domain';
import type { EventStore } from '@app/event-store';

/** `differs`: read and compared, but not swapped in, because the live rows differ. */
export type RebuildPhase = 'reading' | 'indexing' | 'comparing' | 'swapping' | 'done' | 'differs' | 'failed';

export interface RebuildProgress {
  readonly names: readonly string[];
  readonly phase: RebuildPhase;
  readonly eventsDone: number;
  /** The number of events when the rebuild began; the journal grows in the meantime. */
  readonly eventsTotal: number;
  /** Events read per second since the beginning. */
  readonly eventsPerSecond: number;
}

export type OnRebuildProgress = (progress: RebuildProgress) => void;

/** Counts events, and reports each phase to the caller. */
export class ProgressReport {
  private readonly beganMs = performance.now();
  private done = 0;
  private phase: RebuildPhase = 'reading';
  private readMs = 0;

  private constructor(
    private readonly names: readonly string[],
    private readonly total: number,
    private readonly callbacks: readonly OnRebuildProgress[],
  ) {}

  static async begin(
    store: Pick<EventStore, 'head'>,
    names: readonly string[],
    callbacks: readonly (OnRebuildProgress | undefined)[],
  ): Promise<ProgressReport> {
    const head = await store.head(LEDGER_STREAM);
    return new ProgressReport(
      names,
      (head?.revision ?? -1) + 1,
      callbacks.filter((callback) => callback !== undefined),
    );
  }

  enter(phase: RebuildPhase): void {
    this.phase = phase;
    this.tell();
  }

  read(events: number): void {
    this.done += events;
    this.readMs = performance.now() - this.beganMs;
    this.tell();
  }

  private tell(): void {
    const { names, phase, done, total, readMs } = this;
    const progress: RebuildProgress = {
      names,
      phase,
      eventsDone: done,
      eventsTotal: Math.max(total, done),
      eventsPerSecond: readMs > 0 ? Math.round((done / readMs) * 1_000) : 0,
    };
    for (const callback of this.callbacks) callback(progress);
  }
}
