import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../database/database.module.js';
import { mediaUrl, thumbnailUrl } from './media-url.js';
import type { FileKind, StoredFile } from './stored-file.js';
import { UNCLAIMED_MAX, type UploadUsage } from './upload-limits.js';
import type { UploadPurpose } from './uploads.js';

/** An upload and its state. */
export interface UploadRow {
  readonly id: string;
  readonly memberId: string;
  readonly bytesExpected: number | null;
  readonly purpose: UploadPurpose;
  readonly expiresAt: Date;
  readonly receivedAt: Date | null;
  /** The file that is served; undefined until it is claimed. */
  readonly file: StoredFile | undefined;
  readonly thumbnailBytes: number | null;
}

export interface NewUpload {
  readonly id: string;
  readonly memberId: string;
  readonly purpose: UploadPurpose;
  readonly bytesExpected: number | null;
  readonly expiresAt: Date;
}

/** The facts about a claimed file. */
export interface ClaimedMedia {
  readonly kind: FileKind;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly thumbnailBytes: number;
}

interface Columns {
  id: string;
  member_id: string;
  purpose: UploadPurpose;
  bytes_expected: string | null;
  expires_at: Date;
  received_at: Date | null;
  kind: FileKind | null;
  content_type: string;
  width: number;
  height: number;
  bytes: string;
  thumbnail_bytes: string | null;
}

const COLUMNS = `id, member_id, purpose, bytes_expected, expires_at, received_at, kind, content_type, width, height, bytes,
  thumbnail_bytes`;

/** Files in use, and files that wait to be used. Files that admins upload for others count for nobody. */
const COUNTED = `purpose <> 'admin-content' and (claimed_at is not null or received_bytes is not null)`;
const COUNTS = `count(*)::int as files, coalesce(sum(coalesce(bytes + thumbnail_bytes, received_bytes)), 0) as bytes`;

/** The table `uploads`. */
@Injectable()
export class UploadRows {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async add({ id, memberId, purpose, bytesExpected, expiresAt }: NewUpload): Promise<void> {
    await this.pool.query(
      `insert into uploads (id, member_id, purpose, bytes_expected, expires_at) values ($1, $2, $3, $4, $5)`,
      [id, memberId, purpose, bytesExpected, expiresAt],
    );
  }

  async find(id: string): Promise<UploadRow | undefined> {
    const { rows } = await this.pool.query<Columns>(`select ${COLUMNS} from uploads where id = $1`, [id]);
    return rows[0] && toRow(rows[0]);
  }

  /** Called when a file begins to arrive. False if another file came first. */
  async takeTicket(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `update uploads set received_at = clock_timestamp() where id = $1 and received_at is null and claimed_at is null`,
      [id],
    );
    return rowCount === 1;
  }

  async markReceived(id: string, bytes: number): Promise<void> {
    await this.pool.query('update uploads set received_bytes = $2 where id = $1 and claimed_at is null', [id, bytes]);
  }

  /** What counts towards a member's quota, except one upload. */
  async usageBeside(memberId: string, exceptId: string): Promise<UploadUsage> {
    const { rows } = await this.pool.query<{ files: number; bytes: string }>(
      `select ${COUNTS} from uploads where member_id = $1 and id <> $2 and ${COUNTED}`,
      [memberId, exceptId],
    );
    return { files: rows[0]?.files ?? 0, bytes: Number(rows[0]?.bytes ?? 0) };
  }

  /** What counts towards each member's quota; members without files are absent. */
  async usageOf(memberIds: readonly string[]): Promise<ReadonlyMap<string, UploadUsage>> {
    const { rows } = await this.pool.query<{ member_id: string; files: number; bytes: string }>(
      `select member_id, ${COUNTS} from uploads where member_id = any($1) and ${COUNTED} group by member_id`,
      [memberIds],
    );
    return new Map(rows.map(({ member_id, files, bytes }) => [member_id, { files, bytes: Number(bytes) }]));
  }

  /** Makes a ticket usable again after its file did not arrive or could not be kept. */
  async freeTicket(id: string): Promise<void> {
    await this.pool.query(`update uploads set received_at = null where id = $1 and claimed_at is null`, [id]);
  }

  /** Undefined if the upload is gone. The first claim decides; later ones get its result. */
  async markClaimed(id: string, media: ClaimedMedia): Promise<StoredFile | undefined> {
    await this.pool.query(
      `update uploads set claimed_at = clock_timestamp(), kind = $2, content_type = $3, width = $4, height = $5, bytes = $6,
         thumbnail_bytes = $7
       where id = $1 and claimed_at is null`,
      [id, media.kind, media.contentType, media.width, media.height, media.bytes, media.thumbnailBytes],
    );
    return (await this.find(id))?.file;
  }

  async markOriginalRemoved(id: string): Promise<void> {
    await this.pool.query(`update uploads set original_removed_at = clock_timestamp() where id = $1`, [id]);
  }

  async remove(id: string): Promise<void> {
    await this.pool.query(`delete from uploads where id = $1`, [id]);
  }

  /** The files of a member that nothing refers to, except the newest ones that may stay. */
  async beyondUnclaimedLimit(memberId: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `select id from uploads where member_id = $1 and claimed_at is null order by issued_at desc offset $2`,
      [memberId, UNCLAIMED_MAX],
    );
    return rows.map(({ id }) => id);
  }

  /** Uploads that nothing referred to in time, and files of members who are gone. */
  async abandoned(unclaimedMsMax: number, limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `(select id from uploads where claimed_at is null and issued_at < now() - $1 * interval '1 ms' limit $2)
       union
       (select id from uploads u where not exists (select from member_directory a where a.id = u.member_id) limit $2)`,
      [unclaimedMsMax, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** The files in use that a member sent, the oldest first. */
  async claimedOf(memberId: string): Promise<Pick<StoredFile, 'id' | 'contentType' | 'bytes'>[]> {
    const { rows } = await this.pool.query<{ id: string; content_type: string; bytes: string }>(
      `select id, content_type, bytes from uploads
       where member_id = $1 and claimed_at is not null and purpose <> 'admin-content' order by claimed_at, id`,
      [memberId],
    );
    return rows.map((row) => ({ id: row.id, contentType: row.content_type, bytes: Number(row.bytes) }));
  }

  /** Files that content shows are removed with the content, and stay if an admin assigned it to somebody else. */
  async ofMember(memberId: string, limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `select id from uploads u where member_id = $1
         and not exists (select from content_directory c where c.file_id = u.id) limit $2`,
      [memberId, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Claimed uploads whose original may still exist: a signed address can be used until it expires. */
  async withOriginals(afterExpiryMs: number, limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `select id from uploads where original_removed_at is null and claimed_at is not null
         and expires_at < now() - $1 * interval '1 ms' limit $2`,
      [afterExpiryMs, limit],
    );
    return rows.map(({ id }) => id);
  }
}

const toRow = (row: Columns): UploadRow => ({
  id: row.id,
  memberId: row.member_id,
  purpose: row.purpose,
  bytesExpected: row.bytes_expected === null ? null : Number(row.bytes_expected),
  expiresAt: row.expires_at,
  receivedAt: row.received_at,
  thumbnailBytes: row.thumbnail_bytes === null ? null : Number(row.thumbnail_bytes),
  file: row.kind === null ? undefined : toFile(row, row.kind),
});

const toFile = (row: Columns, kind: FileKind): StoredFile => ({
  id: row.id,
  kind,
  contentType: row.content_type,
  width: row.width,
  height: row.height,
  bytes: Number(row.bytes),
  url: mediaUrl(row.id),
  thumbnailUrl: row.thumbnail_bytes === null ? null : thumbnailUrl(row.id),
});
