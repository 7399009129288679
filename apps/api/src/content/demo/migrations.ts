import type { SqlMigration } from '../../platform/database/migrations.js';

/** What of the demo showcase stands already, so that a start goes on where the last one was ended. */
export const demoMigrations: readonly SqlMigration[] = [
  {
    name: 'demo_showcase',
    // The step `done` has no file: it is the last one.
    sql: `
      create table demo_showcase (
        step text primary key,
        file_id uuid,
        done_at timestamptz not null default now()
      );
    `,
  },
];
