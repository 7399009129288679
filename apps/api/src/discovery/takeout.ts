import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const wallTakeout: TakeoutLists = {
  files: {
    'wall-comments': {
      sql: `
        select id, owner_id as "ownerId", comment, created_at as "createdAt" from wall_comments where commenter_id = $1
        order by created_at, id`,
      members: ['ownerId'],
    },
    'unlocked-cards': {
      sql: `
        select owner_id as "ownerId", at as "unlockedAt" from read.card_unlocks where viewer_id = $1::uuid::text
        order by at, owner_id`,
      members: ['ownerId'],
    },
  },
  without: { wall_erasures: 'The ids of words that are gone.' },
};
