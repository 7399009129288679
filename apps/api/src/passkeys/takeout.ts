import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const passkeysTakeout: TakeoutLists = {
  files: {
    passkeys: {
      sql: `
        select id, name, is_synced as "isSynced", created_at as "createdAt", last_used_at as "lastUsedAt"
        from passkeys where account_id = $1 order by created_at, id`,
    },
  },
  without: { recovery_codes: 'They are secrets.' },
};
