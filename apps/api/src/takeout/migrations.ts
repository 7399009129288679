import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';

export const takeoutMigrations: readonly SqlMigration[] = [
  {
    name: 'takeouts',
    // An attempt holds the lease until `next_at`; its id tells the one that lost it. A finished row without bytes failed.
    sql: `
      create table takeouts (
        id uuid primary key,
        account_id uuid not null references accounts on delete cascade,
        ordered_at timestamptz not null default clock_timestamp(),
        attempt uuid,
        attempts integer not null default 0,
        next_at timestamptz not null default clock_timestamp(),
        parts_done integer not null default 0,
        parts integer,
        finished_at timestamptz,
        bytes bigint,
        expires_at timestamptz,
        removed_at timestamptz
      );
      create unique index takeouts_under_way on takeouts (account_id) where finished_at is null;
      create index takeouts_of_account on takeouts (account_id, ordered_at desc);
      create index takeouts_due on takeouts (next_at) where finished_at is null;
      create index takeouts_expiring on takeouts (expires_at) where finished_at is not null;
    `,
  },
];

export const takeoutTables: AreaTables = {
  folder: 'takeout',
  tables: {
    takeouts: { goesWith: 'TakeoutHousekeeping' },
  },
  takeout: { files: {}, without: { takeouts: 'It is the takeout itself.' } },
};
