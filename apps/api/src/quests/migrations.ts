import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';

/** The words of quests: a row first, its event second; without its event it is not shown. */
export const questsMigrations: readonly SqlMigration[] = [
  {
    name: 'quests',
    sql: `
      create table quests (
        id uuid primary key,
        title text not null,
        description text not null,
        created_at timestamptz not null default now()
      );
    `,
  },
];

export const questsTables: AreaTables = {
  folder: 'quests',
  tables: {
    quests: 'nobody',
  },
};
