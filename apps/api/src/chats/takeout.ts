import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const chatsTakeout: TakeoutLists = {
  files: {
    'chats/chats': {
      sql: `
        select c.chat_id as "chatId", status, case when host_id = $1::uuid::text then 'host' else 'initiator' end as side,
          case when host_id = $1::uuid::text then initiator_id else host_id end as "otherId",
          (price * 0.01)::text as price, requested_at as "requestedAt", accepted_at as "acceptedAt",
          ended_at as "endedAt", completed_at as "completedAt", exchanges, r.read_through as "readThrough"
        from read.chats c left join chat_reads r on r.account_id = $1 and r.chat_id::text = c.chat_id
        where initiator_id = $1::uuid::text or host_id = $1::uuid::text order by requested_at, c.chat_id`,
      members: ['otherId'],
    },
    'chats/messages': {
      sql: `
        select id, chat_id as "chatId", text, created_at as "createdAt" from chat_messages_text where sender_id = $1
        order by id`,
    },
    'chats/ratings': {
      sql: `
        select r.chat_id as "chatId", r.rated_id as "ratedId", r.rating, v.comment, v.explanation, r.at as "createdAt"
        from read.ratings r
          left join chat_reviews v on v.chat_id::text = r.chat_id and v.rater_id = $1::uuid
        where r.rater_id = $1::uuid::text order by r.at, r.chat_id`,
      members: ['ratedId'],
    },
  },
  without: {
    chat_pairs: 'The chats have the same.',
    account_closings: 'A closed account takes nothing out.',
  },
};
