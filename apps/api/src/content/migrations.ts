import type { SqlMigration } from '../platform/database/migrations.js';

/** Media and words of posts and cards: a row first, its event second; without its event it is not shown. */
export const contentMigrations: readonly SqlMigration[] = [
  {
    name: 'contents',
    sql: `
      create table contents (
        id uuid primary key,
        owner_id uuid not null references accounts on delete cascade,
        surface text not null check (surface in ('feed', 'discovery')),
        content_type text not null check (content_type in ('image', 'video')),
        file_id uuid not null,
        media_type text not null,
        media_url text not null,
        thumbnail_url text,
        caption text,
        hashtags text[] not null default '{}',
        created_at timestamptz not null default now(),
        removed_at timestamptz
      );
      create index contents_by_owner on contents (owner_id, surface, created_at desc);

      create table wall_comments (
        id uuid primary key,
        owner_id uuid not null references accounts on delete cascade,
        commenter_id uuid not null,
        comment text not null,
        created_at timestamptz not null default now()
      );
    `,
  },
  {
    name: 'wall_comments_by_commenter',
    // Whoever is deleted takes their words along.
    sql: `create index wall_comments_by_commenter on wall_comments (commenter_id)`,
  },
  {
    name: 'wall_comments_attempts',
    // How often its words were brought to be paid: only the one attempt there was may take them away again.
    sql: `alter table wall_comments add attempts integer not null default 1`,
  },
];
