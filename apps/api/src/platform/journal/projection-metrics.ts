import { Inject, Injectable } from '@nestjs/common';
import { journalEventOf, VerifiedLedger } from '@app/ledger';
import type { ReadModelStatus, WaitResult } from '@app/projections';
import { Gauge, Histogram } from 'prom-client';
import { Metrics } from '../health/metrics.js';
import { inSpan } from '../tracing/tracing.js';
import type { Journal } from './journal.js';
import { JOURNAL } from './injected-journal.js';

/** One query serves all metrics of a scrape. */
const SAME_LOOK_MS = 200;

interface Look {
  readonly atMs: number;
  readonly models: Promise<readonly (ReadModelStatus & { readonly lagEvents: number; readonly lagSeconds: number })[]>;
}

/** Metrics of read models: their lag, and how long commands and live notices wait for them. */
@Injectable()
export class ProjectionMetrics {
  private last: Look | undefined;

  constructor(
    @Inject(JOURNAL) private readonly journal: Journal,
    private readonly ledger: VerifiedLedger,
    { registry }: Metrics,
  ) {
    const register = (name: string, help: string, read: (model: Awaited<Look['models']>[number]) => number): void => {
      const gauge: Gauge<'model'> = new Gauge({
        name,
        help,
        labelNames: ['model'] as const,
        registers: [registry],
        collect: async () => {
          // Left out where they cannot be looked up: the other figures are wanted most then.
          const models = await this.look().catch(() => []);
          gauge.reset();
          for (const model of models) gauge.set({ model: model.name }, read(model));
        },
      });
    };
    register('nova_projection_lag_events', 'Ledger events that a read model is behind', (model) => model.lagEvents);
    register(
      'nova_projection_lag_seconds',
      'Age of the oldest ledger event that a read model does not hold',
      (model) => model.lagSeconds,
    );
    register('nova_projection_failing', '1 where this process fails to feed a read model', ({ state }) =>
      state === 'failing' ? 1 : 0,
    );
    register('nova_projection_outdated', '1 where the tables of a read model are of another release', (model) =>
      model.isOfOtherVersion ? 1 : 0,
    );
    const foreign: Gauge = new Gauge({
      name: 'nova_foreign_events',
      help: 'Events of other programs in the event store that read models met and passed over since this process started',
      registers: [registry],
      collect: async () => {
        foreign.reset();
        foreign.set(await Promise.resolve(journal.projections.foreignEvents()).catch(() => 0));
      },
    });
    const unsigned: Gauge = new Gauge({
      name: 'nova_unsigned_events',
      help: 'Events of other streams than the ledger that nobody signed, which this process met and passed over',
      registers: [registry],
      collect: async () => {
        const met = await Promise.resolve(journal.projections.unsigned()).catch(() => []);
        unsigned.set(new Set([...met, ...(journal.store.unsigned ?? [])]).size);
      },
    });
    const waits = new Histogram({
      name: 'nova_projection_wait_seconds',
      help: 'How long commands and live notices waited for read models, and whether in vain',
      labelNames: ['projected'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      registers: [registry],
    });
    journal.projections.onWait = (names, waiting) =>
      inSpan('projections wait', { 'nova.read_models': names.join(',') }, async (span): Promise<WaitResult> => {
        const end = waits.startTimer();
        const result = await waiting;
        end({ projected: String(result.projected) });
        span?.setAttribute('nova.projected', result.projected);
        return result;
      });
  }

  private look(): Look['models'] {
    const now = performance.now();
    if (!this.last || now - this.last.atMs > SAME_LOOK_MS) this.last = { atMs: now, models: this.lookAnew() };
    return this.last.models;
  }

  private async lookAnew() {
    const [head, status] = await Promise.all([this.ledger.head(), this.journal.projections.status()]);
    const last = head?.revision ?? -1;
    const ages = new Map<number, Promise<number>>();
    const ageOf = (revision: number): Promise<number> => {
      const age = ages.get(revision) ?? this.ageSeconds(revision);
      ages.set(revision, age);
      return age;
    };
    return await Promise.all(
      status.map(async (model) => ({
        ...model,
        lagEvents: Math.max(0, last - model.revision),
        lagSeconds: model.revision < last ? await ageOf(model.revision + 1) : 0,
      })),
    );
  }

  /** How long ago an event of the ledger happened. */
  private async ageSeconds(revision: number): Promise<number> {
    const found = await this.ledger.at(revision);
    return found ? Math.max(0, (Date.now() - journalEventOf(found).event.at) / 1_000) : 0;
  }
}
