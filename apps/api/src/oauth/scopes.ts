/** The scopes that an application can ask for (rule oauth-2). `openid` is always granted. */
export const SCOPES = ['openid', 'profile', 'email', 'nova', 'karma', 'influence'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes with which an application moves a member's Nova. */
export const SPENDING_SCOPES: readonly Scope[] = ['nova'];

export const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

/** What a request asks for that names no scope. */
export const SCOPE_WHEN_ABSENT = 'openid profile';

/** The scopes of an application that names none (rule oauth-2). */
export const DEFAULT_SCOPES: readonly Scope[] = ['openid', 'profile', 'email', 'nova'];

/** In the order of the specification, each once. */
export const withOpenid = (scopes: readonly Scope[]): Scope[] =>
  SCOPES.filter((scope) => scope === 'openid' || scopes.includes(scope));
