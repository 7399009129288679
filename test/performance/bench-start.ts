import { PostgresEventStore } from '@app/event-store';
import { LedgerWriter, PostgresSnapshots, SnapshotFollower, snapshotMigrations, systemClock } from '@app/ledger';
import pg from 'pg';
import { callsPerSecond, fund, memberIds, openWriter, pairsOf, sendGift } from './gifts.js';
import type { Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const EVENTS = 300_000;

/** How long a server takes until it takes commands, with and without a snapshot. */
export async function benchStart(surroundings: Surroundings): Promise<Figure[]> {
  const url = await surroundings.database();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  for (const { sql } of snapshotMigrations) await pool.query(sql);
  const store = await PostgresEventStore.open({ connectionString: url });
  const writer = await openWriter(store);
  const ids = memberIds(10_000);
  await fund(writer, ids);
  while (writer.revision < EVENTS) await callsPerSecond(4_000, 1, () => sendGift(writer, pairsOf(ids)));
  await writer.stop();

  const snapshots = new PostgresSnapshots(pool);
  const startMs = async (): Promise<number> => {
    const keyIndex = { find: () => Promise.resolve({ through: -1, found: new Map() }) };
    const fresh = new LedgerWriter({ store, clock: systemClock, keyIndex, snapshots });
    const begin = performance.now();
    await fresh.start();
    const ms = performance.now() - begin;
    await fresh.stop();
    return ms;
  };
  const without = await startMs();
  const follower = new SnapshotFollower({ store, snapshots, everyEvents: 1 });
  await follower.advance();
  const withSnapshot = await startMs();
  await store.close();
  await pool.end();
  return [
    { group: `start with ${EVENTS / 1_000}k events`, name: 'without a snapshot', value: without / 1_000, unit: 's' },
    { group: `start with ${EVENTS / 1_000}k events`, name: 'with a snapshot', value: withSnapshot / 1_000, unit: 's' },
    {
      group: 'reading the journal at the start',
      name: 'hash chain checked',
      value: (EVENTS * 1_000) / without,
      unit: 'events/s',
    },
  ];
}
