import type pg from 'pg';
import { OPEN_LOCK_CLASS, postgresEventStoreMigrations } from './migrations.js';

/**
 * Applies the migrations that this database lacks, each in a transaction, one process at a time. What was applied is listed
 * in `journal.migrations`.
 */
export async function migrateJournal(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${OPEN_LOCK_CLASS}, 0)`);
    const { rows } = await client.query<{ found: boolean }>(
      `select to_regclass('journal.migrations') is not null as found`,
    );
    if (rows[0]?.found !== true) {
      await client.query(`create schema if not exists journal;
        create table journal.migrations (name text primary key, applied_at timestamptz not null default now())`);
    }
    const applied = await client.query<{ name: string }>('select name from journal.migrations');
    const names = new Set(applied.rows.map((row) => row.name));
    for (const migration of postgresEventStoreMigrations) {
      if (names.has(migration.name)) continue;
      await client.query(migration.sql);
      await client.query('insert into journal.migrations (name) values ($1)', [migration.name]);
    }
    await client.query('select journal.raise_positions()');
    await client.query('commit');
    client.release();
  } catch (error) {
    // The connection goes with the transaction that failed on it.
    client.release(true);
    throw error;
  }
}
