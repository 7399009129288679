import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const resonanceTakeout: TakeoutLists = {
  files: {
    resonance: {
      sql: `
        select horizon, scores::float8[] as scores, current_traits as "currentTraits", ideal_traits as "idealTraits",
          updated_at as "updatedAt"
        from resonance_profiles where account_id = $1`,
    },
  },
};
