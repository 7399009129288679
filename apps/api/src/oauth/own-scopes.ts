/**
 * What an application may do for itself with a token of its own (rule oauth-25). No member grants these, and no member's token
 * has them: the scopes that members grant are others (`scopes.ts`).
 */
export const OWN_SCOPES = ['wallet:read', 'wallet:pay', 'webhooks', 'members:read', 'calls:read'] as const;
export type OwnScope = (typeof OWN_SCOPES)[number];
/** What a test client may do for itself: members, calls and webhooks are the application's, in no mode. */
export const TEST_OWN_SCOPES: readonly OwnScope[] = ['wallet:read', 'wallet:pay'];

export const isOwnScope = (name: string): name is OwnScope => (OWN_SCOPES as readonly string[]).includes(name);
