import type { SqlMigration } from '../database/migrations.js';
import type { AreaTables } from '../database/tables.js';

export const keyUsesMigrations: readonly SqlMigration[] = [
  {
    name: 'key_uses',
    // By scope and key; the hash of the body, and how many calls brought both and were not refused.
    sql: `
      create table key_uses (
        id uuid primary key,
        body text not null,
        calls integer not null default 1
      );
    `,
  },
];

export const keyUsesTables: AreaTables = {
  folder: 'platform/key-uses',
  tables: {
    key_uses: 'nobody',
  },
};
