import type { SqlMigration } from '../platform/database/migrations.js';
import { type AreaTables, erasedBy } from '../platform/database/tables.js';
import { chatsTakeout } from './takeout.js';

/** What members typed in chats and about them, their chat settings, and which chat of a pair is the newest. */
export const chatsMigrations: readonly SqlMigration[] = [
  {
    name: 'chat_texts',
    sql: `
      create table chat_messages_text (
        id uuid primary key,
        chat_id uuid not null,
        sender_id uuid not null,
        client_message_id text,
        text text not null,
        created_at timestamptz not null,
        unique (chat_id, sender_id, client_message_id)
      );

      create table chat_reviews (
        chat_id uuid not null,
        rater_id uuid not null,
        comment text,
        explanation text,
        created_at timestamptz not null default now(),
        primary key (chat_id, rater_id)
      );
      create index chat_reviews_by_rater on chat_reviews (rater_id, created_at desc);

      create table member_reports (
        id uuid primary key,
        reporter_id uuid not null,
        reported_id uuid not null,
        chat_id uuid,
        text text not null,
        created_at timestamptz not null default now()
      );
      create index member_reports_by_reported on member_reports (reported_id, created_at desc);
    `,
  },
  {
    name: 'chat_settings',
    sql: `
      create table chat_settings (
        account_id uuid primary key references accounts on delete cascade,
        is_online boolean not null default true,
        allow_direct_chats boolean not null default true,
        minimum_chat_price numeric(12, 2) not null default 1.00 check (minimum_chat_price >= 0.5)
      );
    `,
  },
  {
    name: 'chat_pairs',
    // The newest chat of two members. Whether that chat is open is for its stream to say.
    sql: `
      create table chat_pairs (
        first_id uuid not null,
        second_id uuid not null,
        chat_id uuid not null,
        initiator_id uuid not null check (initiator_id in (first_id, second_id)),
        taken_at timestamptz not null default clock_timestamp(),
        primary key (first_id, second_id)
      );
    `,
  },
  {
    name: 'chat_process',
    // How far the process manager has come in the order of all events.
    sql: `
      create table chat_process (
        name text primary key,
        position bigint not null,
        updated_at timestamptz not null default clock_timestamp()
      );
    `,
  },
  {
    name: 'account_closings',
    // Accounts that are being closed, until nothing of theirs is open any more.
    sql: `
      create table account_closings (
        account_id uuid primary key,
        actor text not null,
        requested_at timestamptz not null default clock_timestamp()
      );
    `,
  },
  {
    name: 'reports_are_closed',
    sql: `
      alter table member_reports add column closed_at timestamptz, add column closed_by uuid;
      create index member_reports_newest on member_reports (created_at desc, id);
    `,
  },
  {
    name: 'chat_texts_by_sender',
    // Whoever is deleted takes their words along.
    sql: `create index chat_messages_text_by_sender on chat_messages_text (sender_id)`,
  },
  {
    name: 'chat_pairs_attempts',
    // How many attempts at the newest chat have taken the pair for it and not given it back.
    sql: `alter table chat_pairs add attempts integer not null default 1`,
  },
  {
    name: 'chat_texts_attempts',
    // How often a message was brought to its chat: only the one attempt there was may take its text away again.
    sql: `alter table chat_messages_text add attempts integer not null default 1`,
  },
  {
    name: 'chat_reviews_are_kept',
    // The words of a rating that was taken: no attempt changes them any more.
    sql: `alter table chat_reviews add kept boolean not null default false`,
  },
  {
    name: 'review_directory',
    sql: `create view review_directory as select chat_id, rater_id, comment, explanation, created_at from chat_reviews`,
  },
  {
    name: 'chat_reads',
    // Through which time a member has read a chat of theirs.
    sql: `
      create table chat_reads (
        account_id uuid not null,
        chat_id uuid not null,
        read_through timestamptz not null,
        primary key (account_id, chat_id)
      );
    `,
  },
];

export const chatsTables: AreaTables = {
  folder: 'chats',
  tables: {
    chat_messages_text: erasedBy('chat_messages_text', 'sender_id'),
    chat_reviews: erasedBy('chat_reviews', 'rater_id'),
    chat_pairs: { kept: 'The other side has them too, and ids tell nothing.' },
    chat_process: 'nobody',
    chat_reads: erasedBy('chat_reads', 'account_id'),
    account_closings: { kept: 'A row goes once its account is closed in the ledger.' },
  },
  directories: ['review_directory'],
  takeout: chatsTakeout,
};
