import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openEventStore, openPool } from '@app/event-store';
import { PostgresSnapshots, SnapshotFollower } from '@app/ledger';
import type pg from 'pg';
import { JournalKeys } from './journal-keys.js';
import type { SnapshotErrand } from './snapshot-worker-thread.js';

const LOOK_EVERY_MS = 5_000;
/** One server of an installation follows the journal for snapshots: whoever holds this lock. */
const FOLLOWER_LOCK = 0x6e6f7662;

async function follow(address: SnapshotErrand): Promise<never> {
  const pool = openPool({ connectionString: address.databaseUrl, max: 2, application_name: 'ledger snapshots' });
  const lock = await pool.connect();
  while (!(await tryLock(lock))) await pause(LOOK_EVERY_MS);
  const store = await openEventStore(address);
  const keys = new JournalKeys(...address.keys);
  const follower = new SnapshotFollower({
    store,
    snapshots: new PostgresSnapshots(pool, undefined, keys.snapshotSigning()),
    trust: keys.trust(),
    onBreach: (sentence) => parentPort?.postMessage(sentence),
  });
  await follower.start();
  for (;;) {
    await follower.advance();
    await pause(LOOK_EVERY_MS);
    // A lost connection gave the lock away: start over with the thread.
    await lock.query('select 1');
  }
}

async function tryLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [FOLLOWER_LOCK]);
  return rows[0]?.mine === true;
}

await follow(workerData as SnapshotErrand);
