import type { SqlMigration } from '../platform/database/migrations.js';
import { type AreaTables, erasedBy } from '../platform/database/tables.js';
import { passkeysTakeout } from './takeout.js';

/** Tables of passkeys, recovery codes, used challenges, and freshly proved sessions. */
export const passkeysMigrations: readonly SqlMigration[] = [
  {
    name: 'passkeys',
    sql: `
      create table passkeys (
        id uuid primary key,
        account_id uuid not null references accounts on delete cascade,
        rp_id text not null,
        credential_id text not null unique,
        public_key bytea not null,
        counter bigint not null,
        transports text[] not null,
        is_synced boolean not null,
        name text not null,
        created_at timestamptz not null default now(),
        last_used_at timestamptz
      );
      create index passkeys_account_id on passkeys (account_id);

      create table recovery_codes (
        account_id uuid not null references accounts on delete cascade,
        code_hash bytea not null,
        primary key (account_id, code_hash)
      );

      create table used_passkey_challenges (
        challenge_hash bytea primary key,
        expires_at timestamptz not null
      );
      create index used_passkey_challenges_expires_at on used_passkey_challenges (expires_at);

      create table fresh_proofs (
        session_id uuid primary key references sessions on delete cascade,
        proved_at timestamptz not null
      );
    `,
  },
  {
    name: 'passkey_directory',
    sql: `create view passkey_directory as select account_id, rp_id from passkeys`,
  },
];

export const passkeysTables: AreaTables = {
  folder: 'passkeys',
  tables: {
    passkeys: erasedBy('passkeys', 'account_id'),
    recovery_codes: erasedBy('recovery_codes', 'account_id'),
    used_passkey_challenges: 'nobody',
  },
  directories: ['passkey_directory'],
  takeout: passkeysTakeout,
};

/** A fresh proof belongs to a session, whatever proved it. */
export const freshProofTables: AreaTables = {
  folder: 'platform/auth',
  tables: { fresh_proofs: { goesWith: 'sessions' } },
  takeout: { files: {}, without: { fresh_proofs: 'A proof counts for minutes.' } },
};
