/**
 * The warning that every file prints that loads oidc-provider on Node 20, explained in docs/oauth.md. A hundred
 * repetitions would hide the output of a failed test.
 */
const KNOWN = 'oidc-provider WARNING: Unsupported runtime';

const warn = console.warn.bind(console);
console.warn = (...parts: unknown[]): void => {
  if (!String(parts[0]).includes(KNOWN)) warn(...parts);
};
