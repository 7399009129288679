import { Inject, Injectable } from '@nestjs/common';
import { LEDGER_STREAM } from '@app/domain';
import { type LedgerEvents, VerifiedLedger } from '@app/ledger';
import type { ReadModelStatus } from '@app/projections';
import type { Pool } from 'pg';
import { InjectPool } from '../database/database.module.js';
import { Metrics } from '../health/metrics.js';
import { type Readiness, ReadinessChecks } from '../health/readiness.js';
import { type Journal, projectionLags } from './journal.js';
import { JOURNAL } from './injected-journal.js';

/** The largest lag of read models with which a process is ready. */
const LAG_EVENTS_MAX = 10_000;
/** How long a lagging read model may make no progress. */
const STANDSTILL_MS = 10_000;

/** Readiness checks of the event store and the read models. */
@Injectable()
export class JournalHealth {
  /** The read models were once as far as the journal, or as far as they come. */
  private hasCaughtUp = false;
  private standstill = { revisions: -1, sinceMs: 0 };

  constructor(
    @Inject(JOURNAL) private readonly journal: Journal,
    @Inject(VerifiedLedger) private readonly ledger: Pick<LedgerEvents, 'head'>,
    checks: ReadinessChecks,
    metrics: Metrics,
    @InjectPool() pool: Pool,
  ) {
    checks.add('eventStore', async () => {
      await journal.store.head(LEDGER_STREAM);
      return { ok: true };
    });
    checks.add('projections', () => this.projections());
    const { projections } = journal;
    metrics.watchPool('projections', () => projections.connections());
    metrics.watchPool('api', () => pool);
  }

  /**
   * Whoever starts catches up first. Later, what a read model has not taken is missing on every server alike, and all else is
   * there: that is borne.
   */
  private async projections(): Promise<Readiness> {
    const { projections } = this.journal;
    const [status, lags] = await Promise.all([projections.status(), projectionLags(this.ledger, projections)]);
    const other = status.filter(({ isOfOtherVersion }) => isOfOtherVersion).map(({ name }) => name);
    if (other.length > 0) return { ok: false, detail: `${other.join(', ')}: being rebuilt for another release` };
    const late = status.filter(({ name }) => (lags.get(name) ?? 0) > LAG_EVENTS_MAX);
    this.hasCaughtUp ||= !this.isCatchingUp(late);
    const complaints = [
      ...status
        .filter(({ state }) => state === 'failing')
        .map(({ name, error = 'see the logs' }) => `${name} is failing: ${error}`),
      ...late.map(({ name }) => `${name} is ${lags.get(name)} events behind`),
    ];
    if (complaints.length === 0) return { ok: true };
    return { ok: false, ...(this.hasCaughtUp && { bearable: true }), detail: complaints.join('; ') };
  }

  /** One that stands still is not waited for: it is failing, perhaps on another server. */
  private isCatchingUp(late: readonly ReadModelStatus[]): boolean {
    const revisions = late.reduce((sum, { revision }) => sum + revision, 0);
    if (revisions !== this.standstill.revisions) this.standstill = { revisions, sinceMs: performance.now() };
    return late.length > 0 && performance.now() - this.standstill.sinceMs < STANDSTILL_MS;
  }
}
