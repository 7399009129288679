import type { SqlMigration } from '../database/migrations.js';
import type { AreaTables } from '../database/tables.js';

/** Counts of minutes: a crash of Postgres may empty them. */
export const rateLimitMigrations: readonly SqlMigration[] = [
  {
    name: 'rate_limit_windows',
    sql: `
      create unlogged table rate_limit_windows (
        key bytea primary key,
        taken integer not null,
        ends_at timestamptz not null
      );
      create index rate_limit_windows_ends_at on rate_limit_windows (ends_at);
    `,
  },
];

export const rateLimitTables: AreaTables = {
  folder: 'platform/rate-limit',
  tables: {
    rate_limit_windows: 'nobody',
  },
};
