import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';
import { credentialMigrations, credentialTables } from './credential-migrations.js';
import { oauthTakeout } from './takeout.js';

/** OAuth applications, members' consents, and the provider's state. Money is in the journal alone. */
export const oauthMigrations: readonly SqlMigration[] = [
  {
    name: 'oauth',
    sql: `
      create table oauth_applications (
        client_id text primary key,
        owner_id uuid not null,
        name text not null,
        description text,
        logo_url text,
        application_url text,
        redirect_uris text[] not null,
        scopes text[] not null,
        -- Null: a public client, which proves itself by PKCE alone.
        secret_hash text,
        is_active boolean not null default true,
        created_at timestamptz not null default now(),
        -- Kept after its deletion, so that statements still name it.
        deleted_at timestamptz
      );
      create index oauth_applications_of_owner on oauth_applications (owner_id, created_at desc);
      create table oauth_consents (
        user_id uuid not null,
        client_id text not null references oauth_applications,
        scopes text[] not null,
        -- Minor units of Nova a UTC day, for spend and transfer.
        daily_limit bigint not null,
        first_consent_at timestamptz not null default now(),
        last_consent_at timestamptz not null default now(),
        -- The member took it back; the row stays for the limit that they had chosen.
        revoked_at timestamptz,
        primary key (user_id, client_id)
      );
      create index oauth_consents_of_client on oauth_consents (client_id);
      -- What oidc-provider keeps: ids of codes and tokens are hashes of them.
      create table oauth_payloads (
        model text not null,
        id text not null,
        payload jsonb not null,
        grant_id text,
        account_id uuid,
        client_id text,
        uid text,
        expires_at timestamptz,
        consumed_at timestamptz,
        primary key (model, id)
      );
      create index oauth_payloads_of_grant on oauth_payloads (grant_id);
      create index oauth_payloads_of_uid on oauth_payloads (uid) where uid is not null;
      create index oauth_payloads_of_account on oauth_payloads (account_id, client_id);
      create index oauth_payloads_of_client on oauth_payloads (client_id);
      create index oauth_payloads_ended on oauth_payloads (expires_at);
    `,
  },
  {
    name: 'oauth-visitors',
    sql: `
      -- Authorizations that began with nobody signed in: strangers make them, so they are few and short-lived.
      create index oauth_payloads_of_visitors on oauth_payloads (expires_at)
        where model = 'Interaction' and not payload ? 'session';
    `,
  },
  {
    name: 'oauth-bounds',
    sql: `
      -- The device whose own grant it is: its tokens end together, and no other device's do.
      alter table oauth_payloads add column device_id uuid;
      update oauth_payloads set account_id = (payload #>> '{session,accountId}')::uuid
        where model = 'Interaction' and payload ? 'session';
      -- What a member has of each model is counted, and the oldest of it found, by this alone.
      create index oauth_payloads_of_member on oauth_payloads (account_id, client_id, model, expires_at);
      drop index oauth_payloads_of_account;
    `,
  },
  {
    name: 'oauth-protocol',
    sql: `
      -- What the developer chose: PKCE though there is a secret; sign-ins of devices without a browser (RFC 8628).
      alter table oauth_applications add column require_pkce boolean not null default false;
      alter table oauth_applications add column device_flow boolean not null default false;
    `,
  },
  {
    name: 'application_directory',
    sql: `create view application_directory as select client_id, name from oauth_applications`,
  },
  {
    name: 'consent_directory',
    sql: `
      create or replace view application_directory as
        select client_id, name, is_active, deleted_at from oauth_applications;
      create view consent_directory as
        select user_id, client_id, scopes, first_consent_at from oauth_consents where revoked_at is null;
    `,
  },
  {
    name: 'oauth-test-mode',
    sql: `
      -- An application's test client is test_ and its client id. It has a row once its developer changed something.
      create table oauth_test_clients (
        application_id text primary key references oauth_applications,
        -- Null: its developer has made no secret yet.
        secret_hash text,
        -- How often its test data was reset: made-up members and their ledger are others each time.
        generation int not null default 0,
        resets_today int not null default 0,
        reset_on date
      );
      -- What made-up members consented to. The client id is that of the test client.
      create table oauth_test_consents (
        user_id uuid not null,
        client_id text not null,
        scopes text[] not null,
        daily_limit bigint not null,
        primary key (user_id, client_id)
      );
      -- Every consent that holds, by either kind of client id: what a token may do.
      create view oauth_living_consents as
        select user_id, client_id, scopes, daily_limit from oauth_consents where revoked_at is null
        union all
        select user_id, client_id, scopes, daily_limit from oauth_test_consents;
    `,
  },
  ...credentialMigrations,
  {
    name: 'oauth-test-directories',
    sql: `
      alter table oauth_test_consents add column first_consent_at timestamptz not null default now();
      create view test_client_directory as select application_id, generation from oauth_test_clients;
      create view test_consent_directory as
        select user_id, client_id, scopes, first_consent_at from oauth_test_consents;
    `,
  },
];

/** The client ids of a member's own applications, test clients' included. */
const OWN_CLIENTS = `
  select unnest(array[client_id, 'test_' || client_id]) from oauth_applications where owner_id = $1`;

export const oauthTables: AreaTables = {
  folder: 'oauth',
  tables: {
    oauth_payloads: {
      erase: [
        'delete from oauth_payloads where account_id = $1',
        `delete from oauth_payloads where client_id in (${OWN_CLIENTS})`,
      ],
    },
    oauth_consents: { goesWith: 'Consents' },
    oauth_test_consents: { erase: [`delete from oauth_test_consents where client_id in (${OWN_CLIENTS})`] },
    oauth_test_clients: {
      erase: [
        `delete from oauth_test_clients where application_id in (
          select client_id from oauth_applications where owner_id = $1)`,
      ],
    },
    ...credentialTables,
    oauth_applications: {
      // The names of the applications stay for statements.
      erase: [
        `update oauth_applications set deleted_at = coalesce(deleted_at, now()), is_active = false, secret_hash = null,
          description = null, logo_url = null, application_url = null, redirect_uris = '{}' where owner_id = $1`,
      ],
    },
  },
  directories: ['application_directory', 'consent_directory', 'test_client_directory', 'test_consent_directory'],
  views: ['oauth_living_consents'],
  takeout: oauthTakeout,
};
