/** What an application can ask for (rule oauth-2), in the order in which it is shown. */
export const SCOPES = ['openid', 'profile', 'email', 'nova', 'karma', 'influence'] as const;
export type Scope = (typeof SCOPES)[number];

export interface ScopeText {
  /** On the consent screen (rule oauth-10). */
  title: string;
  description: string;
  /** Beside the box of the create dialog (rule oauth-7). */
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

/** The scopes of a space-separated list that the product knows, each once and in its order; others are left out. */
export function readScopes(text: string): Scope[] {
  const words = new Set(text.split(/\s+/));
  return SCOPES.filter((scope) => words.has(scope));
}

/** The title of a scope; one that this client does not know yet is shown by its own name. */
export const scopeTitle = (scope: string): string => (isScope(scope) ? SCOPE_TEXTS[scope].title : scope);
