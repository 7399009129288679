import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';
import { webhooksTakeout } from './takeout.js';

export const webhooksMigrations: readonly SqlMigration[] = [
  {
    name: 'webhooks',
    sql: `
      create table webhook_endpoints (
        id uuid primary key,
        client_id text not null,
        owner_id uuid not null,
        url text not null,
        events text[] not null,
        -- Encrypted with a key that is not in the database.
        secret bytea not null,
        previous_secret bytea,
        previous_until timestamptz,
        -- Null while it is on.
        off_reason text,
        off_at timestamptz,
        -- Since when nothing has reached it.
        failing_since timestamptz,
        last_sequence bigint not null default 0,
        created_at timestamptz not null default now()
      );
      create index webhook_endpoints_of_application on webhook_endpoints (client_id, id);
      create index webhook_endpoints_of_owner on webhook_endpoints (owner_id);

      create table webhook_deliveries (
        id uuid primary key,
        endpoint_id uuid not null references webhook_endpoints on delete cascade,
        sequence bigint not null,
        type text not null,
        -- Whom it tells of, and the scopes without which it may not.
        member_id uuid,
        scopes text[] not null,
        -- As it is sent, each time the same.
        body text not null,
        created_at timestamptz not null default clock_timestamp(),
        -- When it is sent next; null: it is not.
        next_at timestamptz,
        -- Attempts since it was last asked for.
        tries integer not null default 0,
        attempts jsonb not null default '[]',
        -- delivered or given_up; null while it waits.
        outcome text,
        unique (endpoint_id, sequence)
      );
      create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, tries, sequence) where next_at is not null;
      create index webhook_deliveries_retried on webhook_deliveries (endpoint_id, next_at)
        where next_at is not null and tries > 0;
      create index webhook_deliveries_of_member on webhook_deliveries (member_id, endpoint_id);
      create index webhook_deliveries_created_at on webhook_deliveries (created_at);

      -- Up to where the journal was followed.
      create table webhook_process (
        name text primary key,
        position numeric not null
      );
    `,
  },
  {
    name: 'webhooks-test-mode',
    sql: `
      -- client_id may be the test client's: this is the application itself.
      alter table webhook_endpoints add column application_id text
        generated always as (regexp_replace(client_id, '^test_', '')) stored;
      -- Deliveries that were too old or too many before they were sent.
      alter table webhook_endpoints add column dropped bigint not null default 0;
      alter table webhook_endpoints add column dropped_at timestamptz;
    `,
  },
];

export const webhooksTables: AreaTables = {
  folder: 'webhooks',
  tables: {
    // After the consents (schema.ts): without one, nothing more is written about the member.
    webhook_deliveries: { erase: [`delete from webhook_deliveries where member_id = $1`] },
    webhook_endpoints: { erase: ['delete from webhook_endpoints where owner_id = $1'] },
    webhook_process: 'nobody',
  },
  takeout: webhooksTakeout,
};
