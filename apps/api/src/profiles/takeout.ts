import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const profilesTakeout: TakeoutLists = {
  files: {
    profile: {
      sql: `
        select bio, location, website, mood, status, occupation, ambitions, relationship_status as "relationshipStatus",
          card_content_id as "cardContentId"
        from profiles where account_id = $1`,
    },
    'chat-settings': {
      sql: `
        select is_online as "isOnline", allow_direct_chats as "allowDirectChats",
          minimum_chat_price::text as "minimumChatPriceDollars"
        from chat_settings where account_id = $1`,
    },
  },
};
