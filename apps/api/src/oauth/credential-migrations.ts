import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';

/** An application's secrets, and the log of its calls. */
export const credentialMigrations: readonly SqlMigration[] = [
  {
    name: 'oauth-secrets',
    sql: `
      create table oauth_secrets (
        id uuid primary key default gen_random_uuid(),
        client_id text not null references oauth_applications,
        name text not null,
        hash text not null,
        -- Null: before secrets had names.
        created_at timestamptz default clock_timestamp(),
        -- To the minute.
        last_used_at timestamptz,
        unique (client_id, hash)
      );
      insert into oauth_secrets (client_id, name, hash, created_at)
        select client_id, 'Secret', secret_hash, null from oauth_applications
        where secret_hash is not null and deleted_at is null;

      -- The column holds the secret that was there first: the release before knows no other. Whoever replaces it, of whichever
      -- release, ends all others.
      create function oauth_secret_replaced() returns trigger language plpgsql as $$
      begin
        delete from oauth_secrets where client_id = new.client_id and hash is distinct from new.secret_hash;
        if new.secret_hash is not null then
          insert into oauth_secrets (client_id, name, hash) values (new.client_id, 'Secret', new.secret_hash)
            on conflict do nothing;
        end if;
        return null;
      end $$;
      create trigger oauth_secret_replaced after insert or update of secret_hash on oauth_applications
        for each row execute function oauth_secret_replaced();

      create index oauth_payloads_of_own on oauth_payloads (client_id, expires_at) where model = 'ClientCredentials';
      create index oauth_consents_by_age on oauth_consents (client_id, first_consent_at, user_id) where revoked_at is null;
    `,
  },
  {
    name: 'application-calls',
    sql: `
      create table application_calls (
        id bigint generated always as identity primary key,
        client_id text not null,
        at timestamptz not null,
        method text not null,
        -- As it was declared: no values of a path or a query.
        route text not null,
        status smallint not null,
        code text,
        duration_ms real not null,
        credential text not null,
        secret_name text,
        request_id text not null,
        -- Calls at about this time, or before the first, that were not kept.
        left_out integer not null default 0
      );
      create index application_calls_of_application on application_calls (client_id, id);
      create index application_calls_at on application_calls (at);
    `,
  },
  {
    name: 'application-calls-livemode',
    sql: `
      -- False: the test client called.
      alter table application_calls add column livemode boolean not null default true;
    `,
  },
];

const OWN = 'client_id in (select client_id from oauth_applications where owner_id = $1)';

/** Before the applications, whose owner they are found by. */
export const credentialTables: AreaTables['tables'] = {
  oauth_secrets: { goesWith: 'oauth_applications' },
  application_calls: { erase: [`delete from application_calls where ${OWN}`] },
};
