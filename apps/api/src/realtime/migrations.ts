import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';

/** Who is connected and who calls whom. Both matter only at the moment, so a crash of Postgres may empty the tables. */
export const realtimeMigrations: readonly SqlMigration[] = [
  {
    name: 'realtime',
    sql: `
      create unlogged table presence_process (
        id uuid primary key,
        seen_at timestamptz not null default now()
      );

      create unlogged table presence (
        user_id uuid not null,
        process_id uuid not null references presence_process on delete cascade,
        primary key (user_id, process_id)
      );
      create index presence_process_id on presence (process_id);

      create unlogged table video_sessions (
        chat_id uuid primary key,
        session_id uuid not null,
        started_by uuid not null,
        started_at timestamptz not null default now()
      );

      -- Where Socket.IO's adapter puts what is too large for a notification.
      create unlogged table socket_io_attachments (
        id bigserial unique,
        created_at timestamptz not null default now(),
        payload bytea
      );
      create index socket_io_attachments_created_at on socket_io_attachments (created_at);
    `,
  },
  {
    name: 'calls that ring',
    // `started_by` called at `started_at`; the previous release, which knows neither column, ends no ring early.
    sql: `
      alter table video_sessions add column called_id uuid, add column answered_at timestamptz;
      create index video_sessions_called_id on video_sessions (called_id) where answered_at is null;
    `,
  },
];

export const realtimeTables: AreaTables = {
  folder: 'realtime',
  tables: {
    presence_process: 'nobody',
    presence: { kept: 'A row goes with its socket.' },
    video_sessions: { kept: 'A row goes with its call.' },
    socket_io_attachments: 'nobody',
  },
  takeout: {
    files: {},
    without: { presence: 'It lasts as long as a socket.', video_sessions: 'It lasts as long as a call.' },
  },
};
