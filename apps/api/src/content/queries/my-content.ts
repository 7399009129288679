import { Injectable } from '@nestjs/common';
import type { ContentSurface } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { notFound } from '../../platform/errors/app-error.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { ContentItemDto } from '../content.dto.js';
import type { ContentRow } from '../contents.js';
import { joinPosts, POST_FIGURES, type PostFigures, type PostJoin } from '../post-figures.js';

type ItemRow = ContentRow &
  PostFigures & {
    readonly is_card: boolean;
  };

/** A row and its event; newest first. */
const items = (join: PostJoin): string => `
  select c.*, ${POST_FIGURES}, coalesce(f.card_content_id = c.id, false) as is_card
  from contents c
  ${joinPosts(join)}
  left join profile_directory f on f.account_id = c.owner_id
  where c.owner_id = $1 and c.removed_at is null and ($2::text is null or c.surface = $2) and ($3::uuid is null or c.id = $3)
  order by c.created_at desc, c.id desc limit $4`;

/** So much of one's own content at most: what is older is still in the feed. */
const ITEMS_MAX = 500;

/** One's own content with its figures (rule profiles-9). */
@Injectable()
export class MyContent {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async list(ownerId: string, surface: ContentSurface): Promise<ContentItemDto[]> {
    const { rows } = await this.pool.query<ItemRow>(items('join'), [ownerId, surface, null, ITEMS_MAX]);
    return rows.map(toItem);
  }

  /** One that was published, be it listed yet or not. @throws AppError 404 */
  async item(ownerId: string, id: string): Promise<ContentItemDto> {
    const { rows } = await this.pool.query<ItemRow>(items('left join'), [ownerId, null, id, 1]);
    const [row] = rows;
    if (!row) throw notFound('This content');
    return toItem(row);
  }
}

const toItem = (row: ItemRow): ContentItemDto => ({
  id: row.id,
  contentType: row.content_type,
  mediaType: row.media_type,
  mediaUrl: row.media_url,
  thumbnailUrl: row.thumbnail_url,
  caption: row.caption,
  hashtags: row.hashtags,
  viewCount: row.views,
  likeCount: row.likes,
  commentCount: row.comments,
  engagementScore: row.score,
  totalEarnings: toNova(BigInt(row.earnings)),
  createdAt: row.created_at.toISOString(),
  isCard: row.is_card,
});
