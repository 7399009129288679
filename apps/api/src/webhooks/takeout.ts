import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const webhooksTakeout: TakeoutLists = {
  files: {
    'applications/webhooks': {
      sql: `
        select id, client_id as "clientId", url, events, off_reason as "offReason", created_at as "createdAt"
        from webhook_endpoints where owner_id = $1 order by created_at, id`,
    },
  },
  without: { webhook_deliveries: 'They repeat for a while what the statement and the consents say.' },
};
