import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { ContentRow } from '../../content/contents.js';
import { joinPosts, POST_FIGURES, type PostFigures, type PostJoin } from '../../content/post-figures.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { likePattern, memberPatterns } from '../../platform/text.js';
import { toNova } from '../../wallet/nova-amount.js';
import { offsetOf, paginationOf } from '../page.dto.js';
import type { AdminContentDto, AdminContentItemDto, AdminContentQueryDto } from './admin-content.dto.js';

type Row = ContentRow &
  PostFigures & {
    readonly author_name: string;
    readonly author_email: string;
  };

const ITEM = `select c.*, a.display_name as author_name, a.email as author_email, ${POST_FIGURES}`;
const shown = (join: PostJoin): string => `
  from content_directory c
  join member_directory a on a.id = c.owner_id and a.closed_at is null
  ${joinPosts(join)}
  where c.removed_at is null`;

/** Everything that members show, newest first (rule admin-13). */
@Injectable()
export class AdminContents {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async page(query: AdminContentQueryDto): Promise<AdminContentDto> {
    const { conditions, values } = filterOf(query);
    const [{ rows }, counted] = await Promise.all([
      this.pool.query<Row>(
        `${ITEM}
         ${shown('join')}${conditions} order by c.created_at desc, c.id desc limit ${query.limit} offset ${offsetOf(query)}`,
        values,
      ),
      this.pool.query<{ total: number }>(`select count(*)::int as total ${shown('join')}${conditions}`, values),
    ]);
    return { content: rows.map(toItem), pagination: paginationOf(query, counted.rows[0]?.total ?? 0) };
  }

  /** One that was published, be it listed yet or not. */
  async one(id: string): Promise<AdminContentItemDto | undefined> {
    const { rows } = await this.pool.query<Row>(
      `${ITEM}
       ${shown('left join')} and c.id = $1`,
      [id],
    );
    return rows[0] && toItem(rows[0]);
  }
}

/** Search finds the author's name or e-mail, the caption or a tag. */
function filterOf({ search = '', contentType }: AdminContentQueryDto): { conditions: string; values: unknown[] } {
  const values: unknown[] = [];
  let conditions = '';
  if (search !== '') {
    values.push(...memberPatterns(search), likePattern(search), search.replace(/^#/, ''));
    conditions += ` and (a.name_key like $1 escape '\\' or a.email_key like $2 escape '\\'
      or c.caption ilike $3 escape '\\' or $4 = any(c.hashtags))`;
  }
  if (contentType !== undefined) conditions += ` and c.content_type = $${values.push(contentType)}`;
  return { conditions, values };
}

const toItem = (row: Row): AdminContentItemDto => ({
  id: row.id,
  contentType: row.content_type,
  surface: row.surface,
  mediaUrl: row.media_url,
  thumbnailUrl: row.thumbnail_url,
  caption: row.caption,
  hashtags: row.hashtags,
  authorId: row.owner_id,
  authorName: row.author_name,
  authorEmail: row.author_email,
  viewCount: row.views,
  likeCount: row.likes,
  commentCount: row.comments,
  engagementScore: row.score,
  totalEarnings: toNova(BigInt(row.earnings)),
  createdAt: row.created_at.toISOString(),
});
