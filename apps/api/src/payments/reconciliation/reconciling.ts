import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DAY_MS } from '@app/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '@app/event-store';
import { type Ledger, VerifiedLedger } from '@app/ledger';
import type pg from 'pg';
import type { AskedPeriod } from '../../finance/books.js';
import { ProviderMovements } from '../../finance/general-ledger/provider-movements.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { AppError } from '../../platform/errors/app-error.js';
import { StreamMetadata } from '../../platform/journal/stream-metadata.js';
import { EVENT_STORE } from '../../platform/journal/injected-journal.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { inRounds } from '../../platform/rounds.js';
import { Payments } from '../payments.js';
import { afterEverything, Reconciliation } from './reconciliation.js';
import { type ReconciledLine, ReconciliationLines } from './reconciliation-lines.js';
import { DAILY, type ReconciliationRun, ReconciliationRuns, type RunWindow } from './reconciliation-runs.js';
import { dailyWindow, windowOf } from './reconciliation-window.js';

/** How soon another server takes over from a killed one. */
const LOOK_EVERY_MS = 4_000;
/** By then the server listens, and leftovers of a restart are settled. */
const FIRST_LOOK_MS = 60_000;
const RETRY_SECONDS = 3_600;
/** The answer to a run that ends within this time is its result; a longer run is only reported as begun. */
const ANSWER_WITHIN_MS = 5_000;

/** Reconciles every day (UTC) on one server of the installation, and on request. */
@Injectable()
export class Reconciling implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly lines: ReconciliationLines;
  readonly runs: ReconciliationRuns;
  private readonly logger = new Logger(Reconciling.name);
  private readonly stopping = new AbortController();
  private readonly looks = new Set<Promise<unknown>>();

  constructor(
    private readonly payments: Payments,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly events: VerifiedLedger,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly metadata: StreamMetadata,
    private readonly movements: ProviderMovements,
  ) {
    this.lines = new ReconciliationLines(pool);
    this.runs = new ReconciliationRuns(pool);
  }

  onApplicationBootstrap(): void {
    const { signal } = this.stopping;
    const onFailure = (error: unknown): void =>
      this.logger.warn({ err: error }, 'reconciling with the payment provider failed; the next try is within the hour');
    const times = { firstAfterMs: FIRST_LOOK_MS, everyMs: LOOK_EVERY_MS };
    this.follow(inRounds(() => this.lookAtYesterday(), { ...times, signal, onFailure }));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.looks);
  }

  /** The window of a run that somebody asks for. @throws AppError 400 an impossible time range */
  async windowOf(asked: AskedPeriod): Promise<RunWindow> {
    return windowOf(asked, await afterEverything(this.events), await this.runs.lookedUntil(DAILY));
  }

  /** Begins a run, and waits a moment for its end. @throws AppError 409 another one is in progress, 503 */
  async begin(actor: string, window: RunWindow): Promise<ReconciliationRun | undefined> {
    const { signal } = this.stopping;
    let begun: (runId: string) => void = () => undefined;
    const started = new Promise<string>((resolve) => (begun = resolve));
    const done = this.reconciliation().run({ ...window, actor, signal, onBegun: begun });
    this.follow(done);
    const timer = new AbortController();
    const late = sleep(ANSWER_WITHIN_MS, undefined, { ref: false, signal: timer.signal }).then(() => started);
    try {
      return await this.runs.find(await Promise.race([done, late]));
    } finally {
      timer.abort();
      late.catch(() => undefined);
    }
  }

  /** Judges a line of the provider once more, as it is now. @throws AppError 503 */
  async lookAgainAt(line: ReconciledLine, actor: string): Promise<ReconciledLine | undefined> {
    if (line.side === 'provider') await this.reconciliation().lookAgainAt(line, actor);
    return this.lines.find(line.subject);
  }

  /** Runs for the day before, unless that was done. */
  async lookAtYesterday(): Promise<void> {
    if (!this.payments.isOpen) return;
    const until = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
    if (await this.runs.isDone(DAILY, until, { retrySeconds: RETRY_SECONDS })) return;
    const window = dailyWindow(until, await this.runs.lookedUntil(DAILY));
    const { signal } = this.stopping;
    const runId = await this.reconciliation()
      .run({ ...window, actor: DAILY, signal })
      .catch(underWay);
    const run = runId === undefined ? undefined : await this.runs.find(runId);
    if (run?.flagged) this.logger.warn(`the payment provider's books and ours differ in ${run.flagged} places`);
  }

  private reconciliation(): Reconciliation {
    const { store, events, ledger, pool, metadata, movements } = this;
    const { gateway, mode } = this.payments.open();
    const dollarBooks = { movements, livemode: mode.kind === 'stripe' && mode.livemode };
    return new Reconciliation({ gateway, store, events, ledger, pool, metadata, dollarBooks });
  }

  private follow(work: Promise<unknown>): void {
    this.looks.add(work);
    const forget = (): boolean => this.looks.delete(work);
    work.then(forget, forget);
  }
}

/** A manual run is in progress: the daily one follows it. */
function underWay(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'RECONCILIATION_RUNNING') return undefined;
  throw error;
}
