import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';
import { questsTakeout } from './takeout.js';

/** The words of quests. The row is written before its event, and is not shown without it. */
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
  {
    name: 'quest_directory',
    sql: 'create view quest_directory as select id, title from quests',
  },
];

export const questsTables: AreaTables = {
  folder: 'quests',
  tables: {
    quests: 'nobody',
  },
  directories: ['quest_directory'],
  takeout: questsTakeout,
};
