import type { EventStore } from '@app/event-store';
import { type Ledger, LedgerWriter, PostgresClock, PostgresSnapshots, PostgresTurn } from '@app/ledger';
import { KeyIndexQueries } from '@app/projections';
import type pg from 'pg';

export interface TerminalLedgerParts {
  readonly store: EventStore;
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
}

/** Work with a ledger of its own, beside the servers that run. */
export async function withTerminalLedger<T>(
  { store, pool, databaseUrl }: TerminalLedgerParts,
  work: (ledger: Ledger, clock: PostgresClock) => Promise<T>,
): Promise<T> {
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
    return await work(writer, clock);
  } finally {
    await writer.stop();
    clock.stop();
    await turn.close();
  }
}
