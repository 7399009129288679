import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Gauge } from 'prom-client';
import { InjectPool } from '../../platform/database/database.module.js';
import { Metrics } from '../../platform/health/metrics.js';
import { ReconciliationLines } from './reconciliation-lines.js';

/** How many differences wait for an admin. */
@Injectable()
export class ReconciliationMetrics {
  constructor({ registry }: Metrics, @InjectPool() pool: pg.Pool) {
    const lines = new ReconciliationLines(pool);
    const flagged: Gauge = new Gauge({
      name: 'nova_reconciliation_flagged',
      help: 'Movements at the payment provider that differ from the journal and that nobody explained',
      registers: [registry],
      // If the look-up fails, the figure keeps its last value: the other figures are needed most then.
      collect: () =>
        lines.flagged().then(
          (count) => flagged.set(count),
          () => undefined,
        ),
    });
  }
}
