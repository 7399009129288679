import { hash, timingSafeEqual } from 'node:crypto';
import { applicationIdOf, isAppLink, isTestClientId } from '@app/domain';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type pg from 'pg';
import { newToken } from '../../identity/random-token.js';
import { isClientId } from '../client-id.js';

/**
 * The stored hash of a client secret. Secrets have 256 random bits that nobody can guess, so one round of SHA-256 is
 * enough. The slow hash that passwords need would only make the token endpoint easy to exhaust.
 */
export const secretHash = (secret: string): string => hash('sha256', secret, 'base64url');

/** Takes the same time whatever part is wrong. */
export const isSecret = (given: string, kept: string): boolean =>
  timingSafeEqual(Buffer.from(secretHash(given)), Buffer.from(kept));

/** What the library does not know of a client: it takes schemes other than http for native applications' alone. */
export const APP_LINKS = 'app_links';
export const REQUIRE_PKCE = 'require_pkce';

const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Applications that are switched off or deleted, or whose developer is gone, do not count as clients. */
const FIND = `
  select a.secret_hash, t.secret_hash as test_secret_hash, a.redirect_uris, a.scopes, a.require_pkce, a.device_flow
  from oauth_applications a
  join member_directory o on o.id = a.owner_id and o.closed_at is null
  left join oauth_test_clients t on t.application_id = a.client_id
  where a.client_id = $1 and a.is_active and a.deleted_at is null`;

interface ClientRow {
  /** Null for a public application. */
  readonly secret_hash: string | null;
  readonly test_secret_hash: string | null;
  readonly redirect_uris: string[];
  readonly scopes: readonly string[];
  readonly require_pkce: boolean;
  readonly device_flow: boolean;
}

/** A test client whose developer has made no secret yet has one that nobody knows: it never counts as a public one. */
const secretOf = ({ secret_hash, test_secret_hash }: ClientRow, isTest: boolean): string =>
  (isTest ? test_secret_hash : secret_hash) ?? secretHash(newToken());

/** The registered applications, and their test clients, as clients of oidc-provider, which reads them and never writes. */
export class ProviderClients implements Adapter {
  constructor(private readonly pool: pg.Pool) {}

  async find(clientId: string): Promise<AdapterPayload | undefined> {
    if (!isClientId(clientId)) return undefined;
    const isTest = isTestClientId(clientId);
    const values = [applicationIdOf(clientId)];
    const { rows } = await this.pool.query<ClientRow>({ name: 'find-oauth-client', text: FIND, values });
    const row = rows[0];
    if (!row) return undefined;
    return {
      client_id: clientId,
      redirect_uris: row.redirect_uris.filter((uri) => !isAppLink(uri)),
      [APP_LINKS]: row.redirect_uris.filter(isAppLink),
      [REQUIRE_PKCE]: row.require_pkce,
      scope: row.scopes.join(' '),
      grant_types: ['authorization_code', 'refresh_token', ...(row.device_flow && !isTest ? [DEVICE_CODE_GRANT] : [])],
      response_types: ['code'],
      ...(row.secret_hash === null
        ? { token_endpoint_auth_method: 'none' }
        : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secretOf(row, isTest) }),
    };
  }

  upsert(): Promise<void> {
    return Promise.reject(new Error('clients are registered in the developer portal'));
  }

  destroy(): Promise<void> {
    return this.upsert();
  }

  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return this.findByUid();
  }

  consume(): Promise<void> {
    return this.upsert();
  }

  revokeByGrantId(): Promise<void> {
    return this.upsert();
  }
}
