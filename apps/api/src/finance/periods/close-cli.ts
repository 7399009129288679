import type { EventStore } from '@app/event-store';
import { LedgerWriter, PostgresClock, PostgresSnapshots, PostgresTurn } from '@app/ledger';
import { KeyIndexQueries } from '@app/projections';
import type pg from 'pg';
import { closePeriod } from './close-period.js';
import { endOfYesterday } from './daily-closing.js';
import { PeriodBlocks } from './period-blocks.js';
import { toRoot } from './period-views.js';
import { SealedPeriods } from './sealed-periods.js';

export interface CloseFromTerminal {
  readonly store: EventStore;
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  /** The last moment of the period; the end of yesterday (UTC) where none is given. */
  readonly until: number | undefined;
  readonly onProgress: (what: string, done: number, total: number) => void;
}

/** `close`: closes a period with a writer of its own, beside the servers that run. Answers with what is published of it. */
export async function closeFromTerminal(from: CloseFromTerminal): Promise<string> {
  const { store, pool, databaseUrl, until, onProgress } = from;
  const turn = new PostgresTurn({ connectionString: databaseUrl });
  const clock = new PostgresClock(pool);
  const writer = new LedgerWriter({
    store,
    clock,
    keyIndex: new KeyIndexQueries(pool),
    turn,
    snapshots: new PostgresSnapshots(pool),
  });
  try {
    await clock.start();
    await writer.start();
    const periods = new SealedPeriods(store);
    const period = await closePeriod(
      { store, ledger: writer, clock, periods, blocks: new PeriodBlocks(pool, store) },
      {
        endsAt: until ?? endOfYesterday(clock.now()),
        adminId: null,
        by: { actor: 'process' },
        onProgress: (done, total) => onProgress('Period', done, total),
      },
    );
    return JSON.stringify(toRoot(period), null, 2);
  } finally {
    await writer.stop();
    clock.stop();
    await turn.close();
  }
}

/** `periods`: what is published of every closed period, oldest first; `verify-receipt` reads it. */
export async function publishedPeriods(store: EventStore): Promise<string> {
  const periods = await new SealedPeriods(store).all();
  return JSON.stringify({ periods: periods.map(toRoot) }, null, 2);
}
