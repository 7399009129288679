import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const identityTakeout: TakeoutLists = {
  files: {
    account: {
      sql: `
        select id, email, email_verified_at as "emailVerifiedAt", display_name as "displayName", is_admin as "isAdmin",
          tc_version as "termsVersion", tc_accepted_at as "termsAcceptedAt", created_at as "createdAt"
        from accounts where id = $1`,
    },
    devices: {
      sql: `
        select id, user_agent as "userAgent", created_at as "createdAt" from devices where account_id = $1
        order by created_at, id`,
    },
    sessions: {
      sql: `
        select id, device_id as "deviceId", created_at as "createdAt", expires_at as "expiresAt"
        from sessions where account_id = $1 order by created_at, id`,
    },
    'security-notices': {
      sql: `
        select id, kind, facts, created_at as "createdAt" from security_notices where account_id = $1
        order by created_at, id`,
    },
    mails: {
      sql: `
        select id, purpose, created_at as "createdAt", finished_at as "finishedAt" from mails where account_id = $1
        order by created_at, id`,
    },
  },
  without: {
    mail_tokens: 'They are secrets that mails carry.',
    blocked_emails: 'Admins keep addresses there, not accounts.',
    one_time_words: 'They are secrets.',
  },
};
