import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';
import { contentTakeout } from './takeout.js';

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
  {
    name: 'contents_removing',
    // Since when a removal is under way. Those that were cut off before: their event tells, or their file.
    sql: `
      alter table contents add removing_at timestamptz;
      create index contents_removing on contents (removing_at) where removing_at is not null;
      update contents c set removing_at = removed_at
      where removed_at is not null and exists (select from uploads u where u.id = c.file_id);
      do $$ begin
        if to_regclass('read.posts') is not null then
          update contents c set removing_at = now() from read.posts p
          where p.content_id = c.id::text and p.removed and c.removed_at is null;
        end if;
      end $$;
    `,
  },
  {
    name: 'erased_wall_comments',
    // Paid comments whose words went with whoever wrote them: walls no longer count them.
    sql: `
      create table erased_wall_comments (
        owner_id uuid primary key references accounts on delete cascade,
        count integer not null
      );
      do $$ begin
        if to_regclass('read.wall') is not null then
          insert into erased_wall_comments (owner_id, count)
          select a.id, count(*) from read.wall w join accounts a on a.id = w.owner_id::uuid
          where not exists (select from wall_comments c where c.id = w.comment_id::uuid)
          group by a.id;
        end if;
      end $$;
    `,
  },
  {
    name: 'wall_erasures',
    // Which comments lost their words, paid or not yet: erased_wall_comments, for servers of the release before, counts those
    // alone that were shown by then.
    sql: `
      create table wall_erasures (
        comment_id uuid primary key,
        owner_id uuid not null references accounts on delete cascade
      );
      create index wall_erasures_by_owner on wall_erasures (owner_id);
      do $$ begin
        if to_regclass('read.wall') is not null then
          insert into wall_erasures (comment_id, owner_id)
          select w.comment_id::uuid, a.id from read.wall w join accounts a on a.id = w.owner_id::uuid
          where not exists (select from wall_comments c where c.id = w.comment_id::uuid)
          on conflict do nothing;
        end if;
      end $$;
    `,
  },
  {
    name: 'content_directory',
    sql: `
      create view content_directory as
        select id, owner_id, surface, content_type, file_id, media_type, media_url, thumbnail_url, caption, hashtags,
          created_at, removed_at
        from contents
    `,
  },
];

export const contentTables: AreaTables = {
  folder: 'content',
  tables: {
    contents: { goesWith: 'Publishing' },
    erased_wall_comments: { kept: 'Counts of a release before: nothing reads them any more.' },
  },
  directories: ['content_directory'],
  takeout: contentTakeout,
};
