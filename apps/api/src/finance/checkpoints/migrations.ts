import type { SqlMigration } from '../../platform/database/migrations.js';
import type { AreaTables } from '../../platform/database/tables.js';

export const checkpointsMigrations: readonly SqlMigration[] = [
  {
    name: 'journal_checkpoints',
    // `peaks` and `position` are derived from the journal: the tree before its last event, and the event before that. From there
    // the next checkpoint goes on; without a position it begins with the first event.
    sql: `
      create table journal_checkpoints (
        size bigint primary key,
        note text not null,
        last_event uuid not null,
        peaks bytea not null,
        position bigint,
        made_at bigint not null
      );
      create table journal_checkpoint_deliveries (
        target text,
        size bigint references journal_checkpoints on delete cascade,
        primary key (target, size)
      )`,
  },
];

export const checkpointsTables: AreaTables = {
  folder: 'finance',
  tables: {
    journal_checkpoints: 'nobody',
    journal_checkpoint_deliveries: 'nobody',
  },
};
