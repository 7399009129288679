import { migrate } from '../../apps/api/src/platform/database/data-source.js';
import { SCHEMA } from '../../apps/api/src/schema.js';
import type { TestDatabase } from './postgres.js';

/**
 * Brings a database to its state before a migration, with one account in it, to test how the migration changes old
 * rows.
 */
export async function migrateUntilBefore(migration: string, { url, pool }: TestDatabase, accountId: string) {
  const areas = SCHEMA.areas.map((area) => {
    const at = area.migrations.findIndex(({ name }) => name === migration);
    return at < 0 ? area : { ...area, migrations: area.migrations.slice(0, at) };
  });
  await migrate(url, { ...SCHEMA, areas });
  await pool.query(
    `insert into accounts (id, email, email_key, display_name, name_key, password_hash, pin_hash, tc_version, tc_accepted_at)
     values ($1, '', '', '', '', '', '', '1.0', now())`,
    [accountId],
  );
}
