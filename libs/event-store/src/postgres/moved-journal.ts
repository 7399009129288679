import type { PoolClient } from 'pg';

/** Where Postgres keeps a journal that has moved. Nothing reads it there. */
const MOVED_SCHEMA = 'journal_moved';

/** Blocks appends in Postgres until the caller's transaction ends. @returns the number of events */
export async function holdJournal(client: PoolClient): Promise<number> {
  await client.query('lock table journal.events in exclusive mode');
  const { rows } = await client.query<{ count: number }>('select count(*)::float8 as count from journal.events');
  return rows[0]?.count ?? 0;
}

/** Renames a journal that has moved, so that no server writes there by mistake. Runs in the caller's transaction. */
export async function setJournalAside(client: PoolClient): Promise<void> {
  await client.query(`alter schema journal rename to ${MOVED_SCHEMA}`);
}
