/** What webhooks tell of (rule webhooks-1). */
export const WEBHOOK_EVENTS = [
  'consent.granted',
  'consent.changed',
  'consent.revoked',
  'tokens.spent',
  'tokens.earned',
  'transfer.sent',
  'wallet.funded',
  'wallet.withdrawn',
  'balance.changed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The type of a delivery that a developer asks for to try an endpoint out. */
export const TEST_EVENT = 'webhook.test';
export type DeliveryType = WebhookEvent | typeof TEST_EVENT;
