import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const noticesTakeout: TakeoutLists = {
  files: {
    'notices/notices': {
      sql: `
        select id, kind, facts, facts ->> 'otherId' as "otherId", is_read as "isRead", created_at as "createdAt"
        from notices where account_id = $1 order by id`,
      members: ['otherId'],
    },
    'notices/push-settings': {
      sql: `
        select off_kinds as "offKinds", shows_text as "showsText", mails, quiet_from as "quietFromMinute",
          quiet_to as "quietToMinute", time_zone as "timeZone"
        from push_settings where account_id = $1`,
    },
    'notices/push-subscriptions': {
      sql: `
        select id, device_id as "deviceId", endpoint, created_at as "createdAt"
        from push_subscriptions where account_id = $1 order by created_at, id`,
    },
  },
  without: { pushes: 'They wait for seconds, and repeat what the notices say.' },
};
