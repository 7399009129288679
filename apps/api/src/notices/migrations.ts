import type { SqlMigration } from '../platform/database/migrations.js';
import { type AreaTables, erasedBy } from '../platform/database/tables.js';
import { noticesTakeout } from './takeout.js';

export const noticesMigrations: readonly SqlMigration[] = [
  {
    name: 'notices',
    // A notice tells of one fact, its source. No row holds a name or a text: those are looked up when it is read.
    sql: `
      create table notices (
        id uuid not null,
        account_id uuid not null references accounts on delete cascade,
        source text not null,
        kind text not null,
        facts jsonb not null,
        created_at timestamptz not null,
        is_read boolean not null default false,
        primary key (account_id, id),
        unique (account_id, source)
      );
      create index notices_created_at on notices (created_at);

      -- Up to where the journal was followed.
      create table notice_process (
        name text primary key,
        position numeric not null
      );

      create table push_subscriptions (
        id uuid primary key,
        account_id uuid not null references accounts on delete cascade,
        device_id uuid not null references devices on delete cascade,
        endpoint text not null,
        p256dh text not null,
        auth text not null,
        created_at timestamptz not null default now(),
        -- Since when nothing has reached it.
        failing_since timestamptz,
        unique (account_id, endpoint)
      );
      create index push_subscriptions_device on push_subscriptions (device_id);
      create index push_subscriptions_endpoint on push_subscriptions (endpoint);

      create table push_settings (
        account_id uuid primary key references accounts on delete cascade,
        off_kinds text[] not null default '{}',
        shows_text boolean not null default false,
        mails boolean not null default true,
        -- Minutes of the member's day; both or neither.
        quiet_from smallint,
        quiet_to smallint,
        time_zone text not null default 'UTC'
      );

      create table pushes (
        id uuid primary key,
        subscription_id uuid not null references push_subscriptions on delete cascade,
        account_id uuid not null,
        kind text not null,
        topic text not null,
        facts jsonb not null,
        attempts integer not null default 0,
        created_at timestamptz not null default clock_timestamp(),
        next_at timestamptz not null default clock_timestamp(),
        expires_at timestamptz not null,
        finished_at timestamptz
      );
      -- What waits for a browser on one topic is one notification.
      create unique index pushes_untried on pushes (subscription_id, topic) where attempts = 0;
      create index pushes_waiting on pushes (next_at) where finished_at is null;
      create index pushes_of_topic on pushes (subscription_id, topic, created_at desc);
      create index pushes_expires_at on pushes (expires_at);
    `,
  },
];

export const noticesTables: AreaTables = {
  folder: 'notices',
  tables: {
    notices: erasedBy('notices', 'account_id'),
    notice_process: 'nobody',
    pushes: erasedBy('pushes', 'account_id'),
    push_subscriptions: erasedBy('push_subscriptions', 'account_id'),
    push_settings: erasedBy('push_settings', 'account_id'),
  },
  takeout: noticesTakeout,
};
