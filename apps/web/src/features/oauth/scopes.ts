/** The scopes that an application can request (rule oauth-2), in display order. */
export const SCOPES = ['openid', 'profile', 'email', 'nova', 'karma', 'influence'] as const;
export type Scope = (typeof SCOPES)[number];

export interface ScopeText {
  /** Shown on the consent screen (rule oauth-10). */
  title: string;
  description: string;
  /** Shown beside the box of the create dialog (rule oauth-7). */
  hint: string;
}

export const SCOPE_TEXTS = {
  openid: { title: 'Basic Identity', description: 'unique user identifier', hint: 'Basic user ID' },
  profile: {
    title: 'Profile Information',
    description: 'display name, profile picture, bio',
    hint: 'Name, picture, bio',
  },
  email: { title: 'Email Address', description: 'for account recovery', hint: 'Email address' },
  nova: { title: 'Nova Balance', description: 'view and manage Nova tokens', hint: 'Nova balance & transactions' },
  karma: { title: 'Karma Tokens', description: 'view balance', hint: 'Karma tokens' },
  influence: { title: 'Influence Points', description: 'view rating', hint: 'Influence points' },
} as const satisfies Record<Scope, ScopeText>;

const isScope = (word: string): word is Scope => SCOPES.some((scope) => scope === word);

/** The known scopes in a space-separated list, each once and in display order; others are left out. */
export function readScopes(text: string): Scope[] {
  const words = new Set(text.split(/\s+/));
  return SCOPES.filter((scope) => words.has(scope));
}

/** The title of a scope; an unknown one is shown by its name. */
export const scopeTitle = (scope: string): string => (isScope(scope) ? SCOPE_TEXTS[scope].title : scope);
