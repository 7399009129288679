import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const oauthTakeout: TakeoutLists = {
  files: {
    'applications/consents': {
      sql: `
        select c.client_id as "clientId", a.name as application, c.scopes, (c.daily_limit * 0.01)::text as "dailyLimit",
          c.first_consent_at as "firstConsentAt", c.last_consent_at as "lastConsentAt", c.revoked_at as "revokedAt"
        from oauth_consents c join oauth_applications a using (client_id) where c.user_id = $1
        order by c.first_consent_at, c.client_id`,
    },
    'applications/own': {
      sql: `
        select client_id as "clientId", name, description, logo_url as "logoUrl", application_url as "applicationUrl",
          redirect_uris as "redirectUris", scopes, is_active as "isActive", created_at as "createdAt",
          deleted_at as "deletedAt"
        from oauth_applications where owner_id = $1 order by created_at, client_id`,
    },
    'applications/secrets': {
      sql: `
        select s.client_id as "clientId", s.name, s.created_at as "createdAt", s.last_used_at as "lastUsedAt"
        from oauth_secrets s join oauth_applications a using (client_id) where a.owner_id = $1
        order by s.client_id, s.created_at nulls first`,
    },
  },
  without: {
    oauth_payloads: 'They are the secrets of sessions and tokens.',
    oauth_test_clients: 'They hold secrets, and nothing of the member.',
    oauth_test_consents: 'They are of made-up members.',
    application_calls: 'They say when programs called, and nothing of a person; the portal shows them.',
  },
};
