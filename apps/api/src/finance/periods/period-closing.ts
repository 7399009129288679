import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EventStore } from '@app/event-store';
import { BrokenChain, type Ledger, VerifiedLedger } from '@app/ledger';
import type pg from 'pg';
import { AppError } from '../../platform/errors/app-error.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { StreamMetadata } from '../../platform/journal/stream-metadata.js';
import { EVENT_STORE } from '../../platform/journal/injected-journal.js';
import type { OpenLedger } from '../../platform/ledger/open-ledger.js';
import { LEDGER, OPEN_LEDGER } from '../../platform/ledger/injected-ledger.js';
import { type CloseOptions, closePeriod, type PeriodBooks } from './close-period.js';
import { PeriodBlocks } from './period-blocks.js';
import { type ClosedPeriod, SealedPeriods } from './sealed-periods.js';

/** Closes periods and looks them up. */
@Injectable()
export class PeriodClosing {
  readonly periods: SealedPeriods;
  readonly blocks: PeriodBlocks;
  private readonly logger = new Logger(PeriodClosing.name);
  private readonly books: PeriodBooks;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    events: VerifiedLedger,
    @Inject(LEDGER) ledger: Ledger,
    @Inject(OPEN_LEDGER) { clock }: OpenLedger,
    @InjectPool() pool: pg.Pool,
    metadata: StreamMetadata,
  ) {
    this.periods = new SealedPeriods(store);
    this.blocks = new PeriodBlocks(pool, store);
    this.books = { store, events, ledger, clock, periods: this.periods, blocks: this.blocks, metadata };
  }

  /** @throws AppError 409, 500 `JOURNAL_BROKEN` the journal is not what its hashes say */
  async close(options: CloseOptions): Promise<ClosedPeriod> {
    try {
      return await closePeriod(this.books, options);
    } catch (error) {
      if (!(error instanceof BrokenChain)) throw error;
      this.logger.error(`no period can be closed: ${error.message}`);
      throw new AppError(
        500,
        'JOURNAL_BROKEN',
        'The journal does not match its hashes, so nothing was sealed. Run the ledger’s verify.',
        { cause: error },
      );
    }
  }

  /** Milliseconds since 1970, as the journal counts. */
  now(): number {
    return this.books.clock.now();
  }
}
