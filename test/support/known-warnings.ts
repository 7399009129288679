/**
 * What is printed by every file that loads oidc-provider on Node 20, and is answered in docs/oauth.md: a hundred repetitions
 * of it would hide what a failed test says.
 */
const KNOWN = 'oidc-provider WARNING: Unsupported runtime';

const warn = console.warn.bind(console);
console.warn = (...parts: unknown[]): void => {
  if (!String(parts[0]).includes(KNOWN)) warn(...parts);
};
