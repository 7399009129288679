import { hash, timingSafeEqual } from 'node:crypto';
import { newToken } from '../identity/random-token.js';

/** Prefixed, so that tools that search for leaked secrets recognise it. */
export const newSecret = (): string => `nova_secret_${newToken()}`;

/**
 * The stored hash of a client secret. Secrets have 256 random bits that nobody can guess, so one round of SHA-256 is
 * enough. The slow hash that passwords need would only make the token endpoint easy to exhaust.
 */
export const secretHash = (secret: string): string => hash('sha256', secret, 'base64url');

/** Takes the same time whatever part is wrong. */
export const isSecret = (given: string, kept: string): boolean =>
  timingSafeEqual(Buffer.from(secretHash(given)), Buffer.from(kept));

/** What proves a client, of either kind, for `from`: a test client has one secret, which has no name. */
export const CLIENT_SECRETS = `(
  select client_id as application_id, false as is_test, id::text as id, name, hash from oauth_secrets
  union all
  select application_id, true, md5(secret_hash), 'Test secret', secret_hash from oauth_test_clients
  where secret_hash is not null)`;
