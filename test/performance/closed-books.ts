import type { EventStore } from '@app/event-store';
import { StoredLedger, systemClock } from '@app/ledger';
import type pg from 'pg';
import { closePeriod } from '../../apps/api/src/finance/periods/close-period.js';
import { PeriodBlocks } from '../../apps/api/src/finance/periods/period-blocks.js';
import { SealedPeriods } from '../../apps/api/src/finance/periods/sealed-periods.js';
import { StreamMetadata } from '../../apps/api/src/platform/journal/stream-metadata.js';
import { openWriter } from './gifts.js';

/** Seals everything in a journal, like the daily closing. */
export async function closeBooks(store: EventStore, pool: pg.Pool): Promise<void> {
  const ledger = await openWriter(store);
  const periods = new SealedPeriods(store);
  const blocks = new PeriodBlocks(pool, store);
  const books = {
    store,
    events: new StoredLedger(store),
    ledger,
    clock: systemClock,
    periods,
    blocks,
    metadata: new StreamMetadata(1),
  };
  try {
    await closePeriod(books, { endsAt: Date.now() - 1, adminId: null, by: { actor: 'system:bench' } });
  } finally {
    await ledger.stop();
  }
}
