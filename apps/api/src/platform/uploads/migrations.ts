import type { SqlMigration } from '../database/migrations.js';
import type { AreaTables } from '../database/tables.js';
import { uploadsTakeout } from './takeout.js';

/** The files that members upload, and the state of each. The `FileStore` holds the files themselves. */
export const uploadsMigrations: readonly SqlMigration[] = [
  {
    name: 'uploads',
    // A ticket is issued, its file received, and then claimed. From then on the row says what the file is.
    sql: `
      create table uploads (
        id uuid primary key,
        member_id uuid not null,
        purpose text not null,
        bytes_expected bigint,
        issued_at timestamptz not null default clock_timestamp(),
        expires_at timestamptz not null,
        received_at timestamptz,
        claimed_at timestamptz,
        original_removed_at timestamptz,
        kind text check (kind in ('image', 'video')),
        content_type text,
        width integer,
        height integer,
        bytes bigint,
        thumbnail_bytes bigint,
        check ((claimed_at is null) = (kind is null))
      );
      create index uploads_by_member on uploads (member_id, issued_at desc);
      create index uploads_unclaimed on uploads (issued_at) where claimed_at is null;
      create index uploads_with_original on uploads (expires_at) where original_removed_at is null;
    `,
  },
  {
    name: 'uploads_received_bytes',
    // Files that wait to be used take room as well, so they count towards their member's quota.
    sql: `
      alter table uploads add column received_bytes bigint;
    `,
  },
];

export const uploadsTables: AreaTables = {
  folder: 'platform/uploads',
  tables: {
    uploads: { goesWith: 'UploadsHousekeeping' },
  },
  takeout: uploadsTakeout,
};
