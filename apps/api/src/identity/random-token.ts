import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
/** The form of a token. */
export const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new random token of 256 bits, for a cookie. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored form of a token: a reader of the database cannot sign in with it. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** A cookie's value if it has the form of a token. */
export const asToken = (value: unknown): string | undefined =>
  typeof value === 'string' && TOKEN.test(value) ? value : undefined;
