import type { WaitResult } from '../read-model.js';
import type { Goal, Progress } from './progress.js';

/**
 * While callers wait for read models that are fed elsewhere, their progress is polled this often, in addition to
 * notifications.
 */
const LOOK_MS = 100;

export interface ReadModelStatus {
  readonly name: string;
  /** `standby`: another process feeds it. */
  readonly state: 'live' | 'rebuilding' | 'failing' | 'standby';
  /** The last ledger revision that it is known to include. */
  readonly revision: number;
  /** Its tables are of another release than this program: queries fail until they are rebuilt. */
  readonly isOfOtherVersion: boolean;
  readonly error?: string;
}

/** As `pg.Pool` counts. */
export interface ConnectionUse {
  readonly totalCount: number;
  readonly idleCount: number;
  /** How many callers wait for a connection. */
  readonly waitingCount: number;
}

/** The read models from the point of view of queries, whichever thread or process feeds them. */
export abstract class Projections {
  /** May observe a wait for read models; must return the same promise or one with the same result. */
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

  /** Events of other programs, in streams with names like ours, that were found and skipped here. */
  abstract foreignEvents(): number | Promise<number>;

  /** The places of unsigned events that were found and skipped here. */
  abstract unsigned(): readonly string[] | Promise<readonly string[]>;

  /** Whether this process learns the progress of this read model without polling. */
  protected abstract isFedHere(name: string): boolean;

  /** Polls the progress of these read models. Never rejects. */
  protected abstract look(names: readonly string[]): Promise<void>;

  /**
   * Resolves once all of these read models include the ledger's events up to a revision, or when the time is up.
   * @param timeoutMs milliseconds
   */
  waitFor(names: readonly string[], revision: number, timeoutMs: number): Promise<WaitResult> {
    return this.wait(names, { revision }, timeoutMs);
  }

  /**
   * As `waitFor`, for events of other streams: up to a position in the order of all events. Only for read models that
   * use such events: the others may never reach the position.
   * @param timeoutMs milliseconds
   */
  waitForPosition(names: readonly string[], position: bigint, timeoutMs: number): Promise<WaitResult> {
    return this.wait(names, { position }, timeoutMs);
  }

  /** Resolves all waits, and later ones at once: nothing is fed any more. */
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

  /** Polls for as long as callers wait. */
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
