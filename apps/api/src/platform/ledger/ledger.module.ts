import type { EventStore } from '@app/event-store';
import { journalAhead, VerifiedLedger } from '@app/ledger';
import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import { Metrics } from '../health/metrics.js';
import { type Readiness, ReadinessChecks } from '../health/readiness.js';
import { EVENT_STORE } from '../journal/injected-journal.js';
import { LEDGER, OPEN_LEDGER } from './injected-ledger.js';
import { LedgerMetrics, ObservedLedger } from './observed-ledger.js';
import type { OpenLedger } from './open-ledger.js';

/** What operators see of the ledger's journal, clock and connections. */
@Injectable()
export class LedgerHealth {
  constructor(@Inject(OPEN_LEDGER) ledger: OpenLedger, checks: ReadinessChecks, metrics: Metrics) {
    const { clock, connections } = ledger;
    checks.add('journal', () => journalState(ledger));
    metrics.gauge(
      'nova_journal_breaches',
      'Events that no command of the ledger makes, as far as this process has read the journal',
      () => ledger.breaches,
    );
    metrics.gauge(
      'nova_journal_stopped',
      '1 while nothing is written, because the journal goes on with what is not ours',
      () => (ledger.writer.halted === undefined ? 0 : 1),
    );
    checks.add('clock', () =>
      Promise.resolve(clock.ready ? { ok: true } : { ok: false, detail: clock.trouble ?? 'it was never checked' }),
    );
    metrics.gauge(
      'nova_journal_ahead_seconds',
      'How far journal time is ahead of the clock; every event is dated there until that has passed',
      () => Math.max(0, ledger.writer.journalTime - clock.now()) / 1_000,
    );
    metrics.watchPool('ledger', () => connections);
  }
}

/** The money has moved, so that ending the service would help nobody. */
function journalState({ breaches, clock, writer }: OpenLedger): Readiness {
  const complaints = breaches > 0 ? [`${breaches} events are not what any command makes: run verify`] : [];
  const ahead = journalAhead(writer.journalTime, clock.now());
  if (ahead !== undefined) complaints.push(ahead);
  if (writer.halted !== undefined) complaints.unshift(`nothing is written: ${writer.halted}`);
  if (complaints.length === 0) return { ok: true };
  return { ok: false, bearable: true, detail: complaints.join('; ') };
}

/** Gives every module `LEDGER`, `OPEN_LEDGER` for its clock, and the `VerifiedLedger` to read from. Whoever opened the ledger closes it. */
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
        {
          provide: VerifiedLedger,
          inject: [EVENT_STORE],
          useFactory: (store: EventStore) => new VerifiedLedger(store, () => ledger.writer.head),
        },
        LedgerHealth,
      ],
      exports: [LEDGER, OPEN_LEDGER, VerifiedLedger],
    };
  }
}
