import type { SqlMigration } from '../platform/database/migrations.js';
import { type AreaTables, erasedBy } from '../platform/database/tables.js';
import { appMoneyTakeout } from './takeout.js';

/** The notes that applications write with movements of Nova: events name the row, never the words (rule ledger-34). */
export const appMoneyMigrations: readonly SqlMigration[] = [
  {
    name: 'notes',
    sql: `
      create table movement_notes (
        id uuid primary key,
        -- Whose Nova moved: the row goes with that account.
        user_id uuid not null,
        client_id text not null,
        note text not null,
        created_at timestamptz not null default now()
      );
      create index movement_notes_of_user on movement_notes (user_id);
    `,
  },
  {
    name: 'note_directory',
    sql: `create view note_directory as select id, note from movement_notes`,
  },
];

export const appMoneyTables: AreaTables = {
  folder: 'app-money',
  tables: {
    movement_notes: erasedBy('movement_notes', 'user_id'),
  },
  directories: ['note_directory'],
  takeout: appMoneyTakeout,
};
