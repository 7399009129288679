import type { SqlMigration } from '../../platform/database/migrations.js';
import type { AreaTables } from '../../platform/database/tables.js';

export const periodsMigrations: readonly SqlMigration[] = [
  {
    name: 'period_blocks',
    // Derived from the journal: see PeriodBlocks.
    sql: `create table period_blocks (number int primary key, hashes bytea not null)`,
  },
];

export const periodsTables: AreaTables = {
  folder: 'finance',
  tables: {
    period_blocks: 'nobody',
  },
};
