import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const membersTakeout: TakeoutLists = {
  files: {
    'members/reports': {
      sql: `
        select id, reported_id as "reportedId", chat_id as "chatId", text, created_at as "createdAt"
        from member_reports where reporter_id = $1 order by created_at, id`,
      members: ['reportedId'],
    },
    'members/following': {
      sql: `
        select followed_id as "memberId", since from read.follows where follower_id = $1::uuid::text
        order by since, followed_id`,
      members: ['memberId'],
    },
    'members/blocked': {
      sql: `
        select blocked_id as "memberId", since from read.blocks where blocker_id = $1::uuid::text
        order by since, blocked_id`,
      members: ['memberId'],
    },
  },
};
