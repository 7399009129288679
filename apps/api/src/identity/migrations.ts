import type { SqlMigration } from '../platform/database/migrations.js';
import { useAsciiDomains } from './ascii-domains.js';
import { type AreaTables, erasedBy } from '../platform/database/tables.js';
import { identityTakeout } from './takeout.js';

/** What nobody sees, and a name may have: soft hyphens, zero width characters, marks of direction, variation selectors. */
const UNSEEN = String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]`;

/** What is typed for an apostrophe, but for an acute accent that stands alone. */
const APOSTROPHES = String.raw`[\u0027\u0060\u02b9\u02bb-\u02bf\u02c8\u05f3\u2018\u2019\u201b\u2032\uff07]`;

/** Tables of accounts, devices, sessions and recovery. */
export const identityMigrations: readonly SqlMigration[] = [
  {
    name: 'accounts',
    sql: `
      create table accounts (
        id uuid primary key,
        email text not null,
        email_key text not null unique,
        display_name text not null,
        name_key text not null,
        password_hash text not null,
        pin_hash text not null,
        is_admin boolean not null default false,
        profile_image_url text,
        profile_card_thumbnail_url text,
        profile_card_content_url text,
        profile_card_content_type text,
        rating numeric(3, 2),
        rating_count integer not null default 0,
        tc_version text not null,
        tc_accepted_at timestamptz not null,
        created_at timestamptz not null default now(),
        closed_at timestamptz
      );
      create index accounts_name_key on accounts (name_key text_pattern_ops);
      create index accounts_created_at on accounts (created_at desc, id);

      create table devices (
        id uuid primary key,
        account_id uuid not null references accounts on delete cascade,
        token_hash bytea not null,
        user_agent text not null,
        created_at timestamptz not null default now(),
        unique (account_id, token_hash)
      );

      create table sessions (
        id uuid primary key,
        token_hash bytea not null unique,
        account_id uuid not null references accounts on delete cascade,
        device_id uuid not null references devices on delete cascade,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null
      );
      create index sessions_account_id on sessions (account_id);
      create index sessions_device_id on sessions (device_id);
      create index sessions_expires_at on sessions (expires_at);

      create table recovery_attempts (
        email_hash bytea primary key,
        failures integer not null,
        locked_until timestamptz,
        updated_at timestamptz not null
      );

      create table blocked_emails (
        email_key text primary key,
        reason text,
        created_at timestamptz not null default now()
      );
    `,
  },
  {
    name: 'search_by_trigrams',
    // Search works without the extension too, by scanning: not every server may install it.
    sql: `
      do $$
      begin
        create extension if not exists pg_trgm;
        execute 'create index accounts_name_trigrams on accounts using gin (name_key gin_trgm_ops)';
        execute 'create index accounts_email_trigrams on accounts using gin (email_key gin_trgm_ops)';
      exception when others then
        raise notice 'pg_trgm is not available: %', sqlerrm;
      end $$;
    `,
  },
  {
    name: 'demo_data',
    sql: `create table demo_data (done_at timestamptz not null)`,
  },
  {
    name: 'ratings_are_projected',
    unusedSince: '1.0.0',
    // Nothing ever wrote them: ratings are events, and a read model sums them up.
    sql: `alter table accounts drop column rating, drop column rating_count`,
  },
  {
    name: 'blocked_emails_by_mailbox',
    unusedSince: '1.0.0',
    // Nothing ever wrote them. Why an address is blocked stands with the other reasons of admins.
    sql: `
      alter table blocked_emails
        add column id uuid not null default gen_random_uuid() unique,
        add column email text,
        add column blocked_by uuid,
        add column reason_id uuid,
        drop column reason;
    `,
  },
  {
    name: 'closed_accounts',
    // They are few, and lists of everybody leave them out.
    sql: `create index accounts_closed on accounts (id) where closed_at is not null`,
  },
  {
    name: 'names_searched_by_plain_letters',
    // As searchKey makes them of new names.
    sql: String.raw`
      update accounts
      set name_key = btrim(translate(
        replace(replace(replace(regexp_replace(name_key, '${UNSEEN}', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
        'ıςłøđðħ', 'iσloddh'))
      where name_key ~ '${UNSEEN}|[ßæœıςłøđðħ]'
    `,
  },
  {
    name: 'security_notices',
    sql: `
      create table security_notices (
        id uuid primary key,
        account_id uuid not null references accounts on delete cascade,
        kind text not null,
        facts jsonb not null,
        created_at timestamptz not null
      );
      create index security_notices_account_id on security_notices (account_id, created_at desc, id desc);
      alter table devices add column notices_seen_at timestamptz;
    `,
  },
  {
    name: 'one_time_words',
    sql: `
      create table one_time_words (
        word_hash bytea primary key,
        purpose text not null,
        -- An account's id, or the key of an address that has no account yet.
        subject text not null,
        failures integer not null default 0,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null
      );
      create index one_time_words_of_subject on one_time_words (purpose, subject);
    `,
  },
  {
    name: 'recovery_pauses',
    // Rows of addresses without an account served strangers only; from now on those have a table that stays small.
    // It is no unlogged one: a commit that waits for no disk would tell, by its time, that there is no account.
    sql: `
      alter table recovery_attempts add column pauses timestamptz[] not null default '{}';
      update recovery_attempts set pauses = array[locked_until - interval '1 hour'] where locked_until is not null;
      delete from recovery_attempts
      where email_hash not in (select sha256(convert_to(email_key, 'UTF8')) from accounts where closed_at is null);
      create table recovery_attempts_of_nobody (like recovery_attempts including all);
      create index recovery_attempts_of_nobody_updated_at on recovery_attempts_of_nobody (updated_at desc);
    `,
  },
  {
    name: 'mail',
    // Neither addresses nor links are kept: a mail is written when it is sent, and a link's token is known by its hash.
    sql: `
      alter table accounts add column email_verified_at timestamptz;

      create table mails (
        id uuid primary key,
        account_id uuid not null references accounts on delete cascade,
        counted_by bytea not null,
        purpose text not null,
        notice jsonb,
        attempts integer not null default 0,
        next_at timestamptz not null default now(),
        created_at timestamptz not null default now(),
        finished_at timestamptz
      );
      create index mails_waiting on mails (next_at) where finished_at is null;
      create index mails_counted_by on mails (counted_by, created_at);
      create index mails_account_id on mails (account_id);

      create table mail_tokens (
        token_hash bytea primary key,
        account_id uuid not null references accounts on delete cascade,
        purpose text not null,
        email_key text not null,
        expires_at timestamptz not null
      );
      create index mail_tokens_account_id on mail_tokens (account_id);
    `,
  },
  {
    name: 'sessions_by_cookie_and_use',
    sql: `
      alter table sessions
        -- Given under a name that only this host can set: not taken under the former one.
        add column host_bound boolean not null default false,
        add column last_used_at timestamptz not null default now();
      create index devices_token_hash on devices (token_hash);
    `,
  },
  {
    name: 'emails_by_ascii_domain',
    sql: 'lock table accounts, blocked_emails in share row exclusive mode',
    code: useAsciiDomains,
  },
  {
    name: 'one_time_words_without_failures',
    unusedSince: '1.0.0',
    sql: 'alter table one_time_words drop column failures;',
  },
  {
    name: 'member_directory',
    // For other areas: everything but secrets. A view is planned as its table, so that a join along an index stays one.
    sql: `
      create view member_directory as
        select id, email, email_key, email_verified_at, display_name, name_key, is_admin, profile_image_url,
          profile_card_thumbnail_url, profile_card_content_url, profile_card_content_type, created_at, closed_at
        from accounts;
      create view session_directory as select id, account_id, token_hash from sessions;
    `,
  },
  {
    name: 'admins',
    // Every grant asks how many admins there are.
    sql: 'create index accounts_admins on accounts (created_at, id) where is_admin and closed_at is null',
  },
  {
    name: 'names_searched_without_apostrophes',
    // As searchKey makes them of new names.
    sql: String.raw`
      update accounts
      set name_key = btrim(regexp_replace(
        case when display_name ~ '\u00b4'
          then lower(regexp_replace(normalize(regexp_replace(display_name, '\u00b4', '', 'g'), nfkd), '[\u0300-\u036f]', '', 'g'))
          else name_key
        end, '${APOSTROPHES}', '', 'g'))
      where name_key ~ '${APOSTROPHES}' or display_name ~ '\u00b4'
    `,
  },
];

export const identityTables: AreaTables = {
  folder: 'identity',
  tables: {
    security_notices: erasedBy('security_notices', 'account_id'),
    mails: erasedBy('mails', 'account_id'),
    mail_tokens: erasedBy('mail_tokens', 'account_id'),
    sessions: erasedBy('sessions', 'account_id'),
    devices: erasedBy('devices', 'account_id'),
    accounts: { kept: 'Its row stays for the ledger, and tells of nobody from the order on (closeAccount).' },
    blocked_emails: { kept: 'Which admin blocked an address stays with it.' },
    one_time_words: { kept: 'They end by themselves, soon.' },
    recovery_attempts: 'nobody',
    recovery_attempts_of_nobody: 'nobody',
    demo_data: 'nobody',
  },
  directories: ['member_directory', 'session_directory'],
  takeout: identityTakeout,
};
