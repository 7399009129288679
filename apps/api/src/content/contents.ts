import { Injectable } from '@nestjs/common';
import type { ContentSurface } from '@app/domain';
import type { Pool, PoolClient } from 'pg';
import { showOnCard } from '../identity/account-changes.js';
import { InjectPool } from '../platform/database/database.module.js';
import { chooseForCard } from '../profiles/profile-store.js';
import type { MediaType } from '../discovery/discovery.dto.js';

/** A row of `contents`: what a member showed. */
export interface ContentRow {
  readonly id: string;
  readonly owner_id: string;
  readonly surface: ContentSurface;
  readonly content_type: MediaType;
  readonly file_id: string;
  readonly media_type: string;
  readonly media_url: string;
  readonly thumbnail_url: string | null;
  readonly caption: string | null;
  readonly hashtags: string[];
  readonly created_at: Date;
}

export type NewContentRow = Omit<ContentRow, 'created_at'>;

const SELECT_SHOWN = 'select * from contents where id = $1 and removed_at is null';

/** Media and words of what members show. Its figures are in the read model `posts`. */
@Injectable()
export class Contents {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Twice is once. False: it is there as another member's, or on another surface. */
  async insert(row: NewContentRow): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `insert into contents as c (id, owner_id, surface, content_type, file_id, media_type, media_url, thumbnail_url, caption, hashtags)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (id) do update set id = excluded.id where c.owner_id = excluded.owner_id and c.surface = excluded.surface`,
      [
        row.id,
        row.owner_id,
        row.surface,
        row.content_type,
        row.file_id,
        row.media_type,
        row.media_url,
        row.thumbnail_url,
        row.caption,
        row.hashtags,
      ],
    );
    return rowCount === 1;
  }

  async find(id: string): Promise<ContentRow | undefined> {
    const { rows } = await this.pool.query<ContentRow>(SELECT_SHOWN, [id]);
    return rows[0];
  }

  /** The same; it cannot be removed before the transaction ends. */
  async hold(id: string, client: PoolClient): Promise<ContentRow | undefined> {
    const { rows } = await client.query<ContentRow>(`${SELECT_SHOWN} for share`, [id]);
    return rows[0];
  }

  /** From now on its removal is remembered. False: it was already. */
  async beginRemoval(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'update contents set removing_at = now() where id = $1 and removing_at is null',
      [id],
    );
    return rowCount === 1;
  }

  async endRemoval(id: string): Promise<void> {
    await this.pool.query('update contents set removing_at = null where id = $1', [id]);
  }

  /** What began to be removed a minute ago or more, and was not; whoever is quicker may still be at it. */
  async halfRemoved(limit: number): Promise<ContentRow[]> {
    const { rows } = await this.pool.query<ContentRow>(
      `select * from contents where removing_at < now() - interval '1 minute' order by removing_at limit $1`,
      [limit],
    );
    return rows;
  }

  /** Removed ones as well. */
  async ofOwner(ownerId: string, limit: number): Promise<Pick<ContentRow, 'id' | 'file_id'>[]> {
    const { rows } = await this.pool.query<Pick<ContentRow, 'id' | 'file_id'>>(
      'select id, file_id from contents where owner_id = $1 limit $2',
      [ownerId, limit],
    );
    return rows;
  }

  async forget(id: string): Promise<void> {
    await this.pool.query('delete from contents where id = $1', [id]);
  }

  async remove(id: string): Promise<void> {
    await this.pool.query('update contents set removed_at = now() where id = $1 and removed_at is null', [id]);
  }

  /**
   * What a card shows is copied to the account, where cards are read. Null: the member's picture.
   * @param changes of the card up to this; false: what is there is as new, or newer
   */
  async showOnCard(
    ownerId: string,
    { content, changes }: { readonly content: ContentRow | null; readonly changes: number },
    client: PoolClient,
  ): Promise<boolean> {
    const shown = { url: content?.media_url ?? null, type: content?.media_type ?? null };
    const isNew = await chooseForCard(client, ownerId, { contentId: content?.id ?? null, changes });
    return isNew && (await showOnCard(client, ownerId, shown));
  }
}
