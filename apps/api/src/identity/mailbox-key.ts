import { emailKey } from '../platform/text.js';

interface Provider {
  readonly domains: RegExp;
  /** The one name of several that the same mailbox has. */
  readonly domain?: string;
  /** Dots in the local part lead nowhere else. */
  readonly ignoresDots?: true;
}

/** Providers that deliver `name+anything@` to `name@`, as they document it (docs/admin.md, Blocked addresses). */
const PROVIDERS: readonly Provider[] = [
  { domains: /^(?:gmail|googlemail)\.com$/, domain: 'gmail.com', ignoresDots: true },
  { domains: /^(?:outlook|hotmail|live)\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/ },
  { domains: /^fastmail\.(?:com|fm)$/ },
  { domains: /^icloud\.com$/ },
  { domains: /^(?:proton\.me|protonmail\.com|pm\.me)$/ },
];

/** The mailbox that an address leads to: case never counts, and dots and tags do not where its provider ignores them. */
export function mailboxKey(email: string): string {
  const key = emailKey(email);
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1);
  const provider = PROVIDERS.find(({ domains }) => domains.test(domain));
  if (!provider) return key;
  const [name = ''] = key.slice(0, at).split('+', 1);
  const local = provider.ignoresDots ? name.replaceAll('.', '') : name;
  return local === '' ? key : `${local}@${provider.domain ?? domain}`;
}
