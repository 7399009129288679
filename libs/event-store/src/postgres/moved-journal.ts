import type { PoolClient } from 'pg';

/** Where the journal stays in Postgres once it has moved: nothing reads it any more. */
const MOVED_SCHEMA = 'journal_moved';

/** Nobody appends in Postgres until the caller's transaction ends. @returns how many events there are */
export async function holdJournal(client: PoolClient): Promise<number> {
  await client.query('lock table journal.events in exclusive mode');
  const { rows } = await client.query<{ count: number }>('select count(*)::float8 as count from journal.events');
  return rows[0]?.count ?? 0;
}

/** Gives a journal that has moved another name, so that no server writes there by mistake. In the caller's transaction. */
export async function setJournalAside(client: PoolClient): Promise<void> {
  await client.query(`alter schema journal rename to ${MOVED_SCHEMA}`);
}
