import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const questsTakeout: TakeoutLists = {
  files: {
    quests: {
      sql: `
        select p.quest_id as "questId", q.title, p.completed_at as "completedAt", p.claimed_at as "claimedAt"
        from read.quest_progress p left join quests q on q.id::text = p.quest_id
        where p.user_id = $1::uuid::text order by p.quest_id`,
    },
  },
};
