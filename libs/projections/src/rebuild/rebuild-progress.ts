import { LEDGER_STREAM } from '@app/domain';
import type { EventStore } from '@app/event-store';

export interface RebuildProgress {
  readonly names: readonly string[];
  readonly phase: 'reading' | 'indexing' | 'comparing' | 'swapping' | 'done';
  readonly eventsDone: number;
  /** As many as there were when it began: the journal goes on meanwhile. */
  readonly eventsTotal: number;
  /** Events read a second since the beginning. */
  readonly eventsPerSecond: number;
}

export type OnRebuildProgress = (progress: RebuildProgress) => void;

/** Counts events for a callback, and tells it of each phase. */
export class ProgressReport {
  private readonly beganMs = performance.now();
  private done = 0;
  private phase: RebuildProgress['phase'] = 'reading';
  private readMs = 0;

  private constructor(
    private readonly names: readonly string[],
    private readonly total: number,
    private readonly callback: OnRebuildProgress | undefined,
  ) {}

  static async begin(
    store: EventStore,
    names: readonly string[],
    callback: OnRebuildProgress | undefined,
  ): Promise<ProgressReport> {
    const head = await store.head(LEDGER_STREAM);
    return new ProgressReport(names, (head?.revision ?? -1) + 1, callback);
  }

  enter(phase: RebuildProgress['phase']): void {
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
    this.callback?.({
      names,
      phase,
      eventsDone: done,
      eventsTotal: Math.max(total, done),
      eventsPerSecond: readMs > 0 ? Math.round((done / readMs) * 1_000) : 0,
    });
  }
}
