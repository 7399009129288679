import { Injectable } from '@nestjs/common';
import type { Viewer } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { notBlocked, postNotFound } from './queries/posts.js';

const OWNER = `
  select c.owner_id from content_directory c join member_directory a on a.id = c.owner_id
  where c.id = $2 and c.surface = 'feed' and c.removed_at is null and a.closed_at is null
    and ${notBlocked('c.owner_id::text')}`;

/** Whose a post is that the viewer may see: never what a client says. */
@Injectable()
export class PostOwners {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** @throws AppError 404 `POST_NOT_FOUND` */
  async viewer(viewerId: string, postId: string): Promise<Viewer> {
    const { rows } = await this.pool.query<{ owner_id: string }>({
      name: 'post-owner',
      text: OWNER,
      values: [viewerId, postId],
    });
    const [row] = rows;
    if (!row) throw postNotFound();
    return { postId: postId.toLowerCase(), authorId: row.owner_id, viewerId };
  }
}
