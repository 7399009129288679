import { Inject, Injectable } from '@nestjs/common';
import { LEDGER_STREAM } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../database/database.module.js';
import { Metrics } from '../health/metrics.js';
import { type Readiness, ReadinessChecks } from '../health/readiness.js';
import { type Journal, projectionLags } from './journal.js';
import { JOURNAL } from './tokens.js';

/** A process whose read models are further behind answers with figures that are too old. */
const LAG_EVENTS_MAX = 10_000;

/** What operators see of the event store and the read models. */
@Injectable()
export class JournalHealth {
  constructor(
    @Inject(JOURNAL) private readonly journal: Journal,
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

  private async projections(): Promise<Readiness> {
    const status = await this.journal.projections.status();
    const failing = status.find(({ state }) => state === 'failing');
    if (failing) return { ok: false, detail: `${failing.name} is failing: ${failing.error ?? 'see the logs'}` };
    const other = status.filter(({ isOfOtherVersion }) => isOfOtherVersion).map(({ name }) => name);
    if (other.length > 0) return { ok: false, detail: `${other.join(', ')}: being rebuilt for another release` };
    for (const [name, events] of await projectionLags(this.journal)) {
      if (events > LAG_EVENTS_MAX) return { ok: false, detail: `${name} is ${events} events behind` };
    }
    return { ok: true };
  }
}
