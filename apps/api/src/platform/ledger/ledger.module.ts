import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import type { WriterStats } from '@app/ledger';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../health/metrics.js';
import { ReadinessChecks } from '../health/readiness.js';
import type { OpenLedger } from './open-ledger.js';
import { LEDGER, OPEN_LEDGER } from './tokens.js';

/** What operators see of the writer. */
@Injectable()
export class LedgerHealth {
  constructor(@Inject(OPEN_LEDGER) { clock, writer }: OpenLedger, checks: ReadinessChecks, metrics: Metrics) {
    checks.add('clock', () =>
      Promise.resolve(clock.ready ? { ok: true } : { ok: false, detail: 'the clock is more than a second off' }),
    );
    const registers = [metrics.registry];
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    const count = (name: keyof WriterStats) =>
      new Counter({
        name: `nova_ledger_${name}_total`,
        help: `Of the ledger's writer, since the start: ${name}`,
        registers,
        collect() {
          this.reset();
          this.inc(writer.stats[name]);
        },
      });
    gauge(
      'nova_ledger_revision',
      'Last durable revision of the journal that this process knows',
      () => writer.revision,
    );
    gauge('nova_ledger_backlog', 'Commands that wait or are under way', () => writer.backlog);
    for (const name of ['appends', 'events', 'conflicts', 'retries'] as const) {
      count(name);
    }
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
        { provide: LEDGER, useValue: ledger.writer },
        LedgerHealth,
      ],
      exports: [LEDGER, OPEN_LEDGER],
    };
  }
}
