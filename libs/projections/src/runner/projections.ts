import type { WaitResult } from '../read-model.js';
import type { Goal, Progress } from './progress.js';

/** While somebody waits for read models that are fed elsewhere, they are looked for this often beside what is heard. */
const LOOK_MS = 100;

export interface ReadModelStatus {
  readonly name: string;
  /** `standby`: another process feeds it. */
  readonly state: 'live' | 'rebuilding' | 'failing' | 'standby';
  /** Last ledger revision known to be in it. */
  readonly revision: number;
  /** Its tables are of another release than this program: queries fail until they are rebuilt. */
  readonly isOfOtherVersion: boolean;
  readonly error?: string;
}

/** As `pg.Pool` counts. */
export interface ConnectionUse {
  readonly totalCount: number;
  readonly idleCount: number;
  /** Who waits for a connection. */
  readonly waitingCount: number;
}

/** The read models as those who query them see them, whatever thread or process feeds them. */
export abstract class Projections {
  /** May look on while somebody waits for read models; answers with the same. */
  onWait: ((names: readonly string[], waiting: Promise<WaitResult>) => Promise<WaitResult>) | undefined;
  protected abstract readonly progress: Progress;
  private looking: NodeJS.Timeout | undefined;
  private ended = false;

  /** Makes what tables are missing and begins to follow the journal. Resolves before the read models have caught up. */
  abstract start(): Promise<void>;

  /** Finishes the batches under way and gives the read models to whoever else is there. */
  abstract stop(): Promise<void>;

  /** Where every read model stands, as far as this process knows. */
  abstract status(): Promise<ReadModelStatus[]>;

  /**
   * Whether a read model is, or was a moment ago, of another release than this program: then tables or columns that a query
   * asks for are not there.
   */
  abstract isBetweenVersions(): Promise<boolean>;

  /** Asks whoever owns a read model to rebuild it. */
  abstract requestRebuild(name: string): Promise<void>;

  /** The connections that feed read models, and what waits for one. */
  abstract connections(): ConnectionUse | Promise<ConnectionUse>;

  /** Events of other programs that were met and passed over here, in streams that are named like ours. */
  abstract foreignEvents(): number | Promise<number>;

  /** Where events stand that nobody signed, which were met and passed over here. */
  abstract unsigned(): readonly string[] | Promise<readonly string[]>;

  /** Whether news of this read model come without looking. */
  protected abstract isFedHere(name: string): boolean;

  /** Finds out how far these read models are. Never rejects. */
  protected abstract look(names: readonly string[]): Promise<void>;

  /**
   * Resolves once all of these read models hold the ledger's events up to a revision, or when the time is up.
   * @param timeoutMs milliseconds
   */
  waitFor(names: readonly string[], revision: number, timeoutMs: number): Promise<WaitResult> {
    return this.wait(names, { revision }, timeoutMs);
  }

  /**
   * As `waitFor`, for events that are not the ledger's: up to a position in the order of all events. Only for read models
   * that take such events: the others need not come there.
   * @param timeoutMs milliseconds
   */
  waitForPosition(names: readonly string[], position: bigint, timeoutMs: number): Promise<WaitResult> {
    return this.wait(names, { position }, timeoutMs);
  }

  /** Answers everybody who waits, and whoever comes later at once: nothing is fed any more. */
  protected endWaits(): void {
    this.ended = true;
    clearInterval(this.looking);
    this.progress.end();
  }

  private wait(names: readonly string[], goal: Goal, timeoutMs: number): Promise<WaitResult> {
    const waiting = this.progress.wait(names, goal, this.ended ? 0 : timeoutMs);
    if (!this.ended && names.some((name) => !this.isFedHere(name))) {
      this.looking ??= setInterval(() => this.lookForAwaited(), LOOK_MS);
    }
    return this.onWait?.(names, waiting) ?? waiting;
  }

  /** For as long as somebody waits. */
  private lookForAwaited(): void {
    const names = [...this.progress.awaited()].filter((name) => !this.isFedHere(name));
    if (names.length > 0) {
      void this.look(names);
      return;
    }
    clearInterval(this.looking);
    this.looking = undefined;
  }
}
