/** What an application can ask for (S1 §6, §9). `openid` is always granted. */
export const SCOPES = ['openid', 'profile', 'email', 'nova', 'karma', 'influence'] as const;
export type Scope = (typeof SCOPES)[number];
