import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const appMoneyTakeout: TakeoutLists = {
  files: {
    'applications/movements': {
      sql: `
        select m.event_id as "eventId", m.client_id as "clientId", a.name as application, m.type,
          (m.amount * 0.01)::text as amount, m.recipient_id as "recipientId", n.note, m.created_at as "createdAt"
        from read.app_movement m
          left join application_directory a on a.client_id = m.client_id
          left join movement_notes n on n.user_id = $1::uuid and n.id::text = m.note_id
        where m.user_id = $1::uuid::text order by m.revision`,
      members: ['recipientId'],
    },
  },
};
