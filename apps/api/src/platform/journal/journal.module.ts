import { type DynamicModule, Inject, Module } from '@nestjs/common';
import { BalanceQueries, Projections } from '@app/projections';
import type pg from 'pg';
import { PG_POOL } from '../database/database.module.js';
import type { Journal } from './journal.js';
import { DecidedStreams } from './decided-streams.js';
import { JournalHealth } from './journal-health.js';
import { ProjectionMetrics } from './projection-metrics.js';
import { ReadModelTrouble } from './read-model-trouble.js';
import { StreamMetadata } from './stream-metadata.js';
import { EVENT_STORE, JOURNAL } from './injected-journal.js';

export const InjectEventStore = (): ParameterDecorator => Inject(EVENT_STORE);

/** Gives every module `EVENT_STORE`, the `Projections` and `BalanceQueries`. Whoever opened the journal closes it. */
@Module({})
export class JournalModule {
  static register(journal: Journal): DynamicModule {
    return {
      module: JournalModule,
      global: true,
      providers: [
        { provide: JOURNAL, useValue: journal },
        { provide: EVENT_STORE, useValue: journal.store },
        { provide: Projections, useValue: journal.projections },
        { provide: BalanceQueries, inject: [PG_POOL], useFactory: (pool: pg.Pool) => new BalanceQueries(pool) },
        {
          provide: ReadModelTrouble,
          useFactory: () => new ReadModelTrouble(journal.projections),
        },
        { provide: StreamMetadata, useValue: new StreamMetadata(journal.envelope) },
        DecidedStreams,
        JournalHealth,
        ProjectionMetrics,
      ],
      exports: [EVENT_STORE, StreamMetadata, DecidedStreams, ReadModelTrouble, Projections, BalanceQueries],
    };
  }
}
