import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const contentTakeout: TakeoutLists = {
  files: {
    'posts/posts': {
      sql: `
        select c.id, c.surface, c.content_type as "contentType", c.file_id as "fileId", c.caption, c.hashtags,
          c.created_at as "createdAt", c.removed_at as "removedAt", p.views, p.likes, p.shares,
          (p.earnings * 0.01)::text as earnings
        from contents c left join read.posts p on p.content_id = c.id::text
        where c.owner_id = $1 order by c.created_at, c.id`,
    },
    'posts/viewed': {
      sql: `
        select post_id as "postId", liked, rating, paid from read.post_viewers where viewer_id = $1::uuid::text
        order by post_id`,
    },
  },
  without: { erased_wall_comments: 'A count that nothing reads any more.' },
};
