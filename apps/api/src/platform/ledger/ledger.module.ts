import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import { Metrics } from '../health/metrics.js';
import { ReadinessChecks } from '../health/readiness.js';
import { LedgerMetrics } from './ledger-metrics.js';
import { ObservedLedger } from './observed-ledger.js';
import type { OpenLedger } from './open-ledger.js';
import { LEDGER, OPEN_LEDGER } from './tokens.js';

/** What operators see of the ledger's clock and connections. */
@Injectable()
export class LedgerHealth {
  constructor(@Inject(OPEN_LEDGER) { clock, connections }: OpenLedger, checks: ReadinessChecks, metrics: Metrics) {
    checks.add('clock', () =>
      Promise.resolve(clock.ready ? { ok: true } : { ok: false, detail: 'the clock is more than a second off' }),
    );
    metrics.watchPool('ledger', () => connections);
  }
}

/** Gives every module `LEDGER`, and `OPEN_LEDGER` for its clock. Whoever opened the ledger closes it. */
@Module({})
export class LedgerModule {
  static register(ledger: OpenLedger): DynamicModule {
    return {
      module: LedgerModule,
      global: true,
      providers: [
        { provide: OPEN_LEDGER, useValue: ledger },
        {
          provide: LEDGER,
          inject: [Metrics],
          useFactory: (metrics: Metrics) =>
            new ObservedLedger(ledger.writer, new LedgerMetrics(metrics, ledger.writer)),
        },
        LedgerHealth,
      ],
      exports: [LEDGER, OPEN_LEDGER],
    };
  }
}
