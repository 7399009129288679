import { isTestClientId } from '@app/domain';

/**
 * What an application may do for itself with a token of its own (rule oauth-25). No member grants these, and no member's token
 * has them: the scopes that members grant are others (`scopes.ts`).
 */
export const OWN_SCOPES = ['wallet:read', 'wallet:pay', 'webhooks', 'members:read', 'calls:read'] as const;
export type OwnScope = (typeof OWN_SCOPES)[number];
/** Members and calls are the application's, in no mode. */
const TEST_OWN_SCOPES: readonly OwnScope[] = ['wallet:read', 'wallet:pay', 'webhooks'];

/** What an application, or its test client, may do for itself. */
export const ownScopesOf = (clientId: string): readonly OwnScope[] =>
  isTestClientId(clientId) ? TEST_OWN_SCOPES : OWN_SCOPES;

export const isOwnScope = (name: string): name is OwnScope => (OWN_SCOPES as readonly string[]).includes(name);
