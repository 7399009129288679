import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';

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
  {
    name: 'bulk_grants',
    // Files of grants: which was granted when, so that the same file is not granted twice by mistake.
    sql: `
      create table bulk_grant (
        batch_id uuid primary key,
        admin_id uuid not null,
        file_hash text not null,
        mode text not null check (mode in ('atomic', 'each')),
        row_count integer not null,
        again boolean not null,
        granted integer not null default 0,
        total_minor bigint not null default 0,
        outcomes jsonb,
        created_at timestamptz not null default clock_timestamp(),
        finished_at timestamptz
      );
      create unique index bulk_grant_file on bulk_grant (file_hash) where not again;
      create index bulk_grant_newest on bulk_grant (created_at desc, batch_id desc);
    `,
  },
  {
    name: 'bulk_grants_members',
    // Whom the rows meant when the batch began: addresses change hands, and a batch is finished for those it was begun for.
    sql: `alter table bulk_grant add member_ids uuid[]`,
  },
  {
    name: 'reason_directory',
    sql: `create view reason_directory as select id, reason from admin_reason`,
  },
  {
    name: 'waiting_files',
    // Files of grants that wait for a second admin, until they are granted or declined, and whom their rows meant by then.
    sql: `
      create table waiting_file (
        approval_id uuid primary key,
        csv text not null,
        member_ids uuid[] not null,
        created_at timestamptz not null default clock_timestamp()
      );
    `,
  },
  {
    name: 'watch_progress',
    // How far each watch has followed the ledger, and what it watches comes to there.
    sql: `
      create table watch_progress (
        watch_id uuid primary key,
        revision bigint not null,
        balance numeric not null
      );
    `,
  },
];

export const adminTables: AreaTables = {
  folder: 'admin',
  tables: {
    admin_reason: { kept: 'Reasons of admins stay.' },
    bulk_grant: { kept: 'Whom a batch means is part of what it did.' },
    account_deletions: { kept: 'A row goes once its account is erased.' },
    waiting_file: { kept: 'A row goes once the act is over: the sweep of approvals deletes it.' },
    watch_progress: 'nobody',
    minutes_up: 'nobody',
  },
  directories: ['reason_directory'],
  takeout: {
    files: {},
    without: {
      admin_reason: 'The words are an admin’s.',
      bulk_grant: 'The wallet’s statement has every grant.',
      account_deletions: 'A closed account takes nothing out.',
      waiting_file: 'An act of admins that has not happened yet.',
    },
  },
};
