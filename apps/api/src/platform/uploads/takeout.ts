import type { TakeoutLists } from '../database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25), beside the files themselves. */
export const uploadsTakeout: TakeoutLists = {
  files: {
    'files/files': {
      sql: `
        select id, purpose, content_type as "contentType", width, height, bytes::float8 as bytes,
          claimed_at as "createdAt"
        from uploads where member_id = $1 and claimed_at is not null and purpose <> 'admin-content'
        order by claimed_at, id`,
    },
  },
};
