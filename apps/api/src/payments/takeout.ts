import type { TakeoutLists } from '../platform/database/takeout-lists.js';

/** What a member takes out of this area (rule accounts-25). */
export const paymentsTakeout: TakeoutLists = {
  files: {
    'wallet/payments': {
      sql: `
        select payment_intent_id as "paymentIntentId", (nova_minor * 0.01)::text as nova,
          (charged_cents * 0.01)::text as dollars, state, created_at as "createdAt", credited_at as "creditedAt"
        from payment where user_id = $1::uuid::text order by created_at, payment_intent_id`,
    },
  },
  without: {
    reconciliation_run: 'What admins compare is work for the company.',
    reconciliation_line: 'What admins compare is work for the company.',
  },
};
