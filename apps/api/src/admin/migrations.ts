import type { SqlMigration } from '../platform/database/migrations.js';

export const adminMigrations: readonly SqlMigration[] = [
  {
    name: 'reasons',
    // Why an admin did something. The event names the row, never the text, so that the text can be erased.
    sql: `
      create table admin_reason (
        id uuid primary key,
        admin_id uuid not null,
        user_id uuid not null,
        reason text not null,
        created_at timestamptz not null default now()
      );
      create index admin_reason_by_user on admin_reason (user_id);
    `,
  },
  {
    name: 'minutes_up',
    // A minute in which some server was there and could write to the database.
    sql: `create table minutes_up (minute timestamptz primary key)`,
  },
  {
    name: 'account_deletions',
    // Accounts that an admin deleted, until everything of theirs is erased.
    sql: `
      create table account_deletions (
        account_id uuid primary key,
        admin_id uuid not null,
        reason_id uuid,
        request_id text,
        ordered_at timestamptz not null default clock_timestamp(),
        recorded_at timestamptz,
        next_at timestamptz not null
      );
    `,
  },
];
