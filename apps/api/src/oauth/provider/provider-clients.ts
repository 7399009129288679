import { applicationIdOf, isAppLink, isTestClientId } from '@app/domain';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type pg from 'pg';
import { isClientId } from '../client-id.js';
import { CLIENT_SECRETS } from '../new-secret.js';

/** What the library does not know of a client: it takes schemes other than http for native applications' alone. */
export const APP_LINKS = 'app_links';
export const REQUIRE_PKCE = 'require_pkce';
/** It has one secret of a client, and an application two. */
export const SECRETS = 'secrets';

/** A secret as the provider knows it. */
export interface KeptSecret {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
}

const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Public applications cannot prove who they are. */
export const OWN_GRANT = 'client_credentials';

/** Applications that are switched off or deleted, or whose developer is gone, do not count as clients. */
const FIND = `
  select a.secret_hash, a.redirect_uris, a.scopes, a.require_pkce, a.device_flow,
    array(select json_build_object('id', id, 'name', name, 'hash', hash) from ${CLIENT_SECRETS} s
      where s.application_id = a.client_id and s.is_test = $2 order by id) as secrets
  from oauth_applications a
  join member_directory o on o.id = a.owner_id and o.closed_at is null
  where a.client_id = $1 and a.is_active and a.deleted_at is null`;

interface ClientRow {
  /** Null for a public application. */
  readonly secret_hash: string | null;
  readonly redirect_uris: string[];
  readonly scopes: readonly string[];
  readonly require_pkce: boolean;
  readonly device_flow: boolean;
  readonly secrets: readonly KeptSecret[];
}

/** What is given is compared with `SECRETS` alone: of a test client that has none yet, with nothing. The library wants one. */
const SEE_SECRETS = 'see secrets';

/** The registered applications, and their test clients, as clients of oidc-provider, which reads them and never writes. */
export class ProviderClients implements Adapter {
  constructor(private readonly pool: pg.Pool) {}

  async find(clientId: string): Promise<AdapterPayload | undefined> {
    if (!isClientId(clientId)) return undefined;
    const isTest = isTestClientId(clientId);
    const values = [applicationIdOf(clientId), isTest];
    const { rows } = await this.pool.query<ClientRow>({ name: 'find-oauth-client', text: FIND, values });
    const row = rows[0];
    if (!row) return undefined;
    return {
      client_id: clientId,
      redirect_uris: row.redirect_uris.filter((uri) => !isAppLink(uri)),
      [APP_LINKS]: row.redirect_uris.filter(isAppLink),
      [REQUIRE_PKCE]: row.require_pkce,
      [SECRETS]: row.secrets,
      scope: row.scopes.join(' '),
      grant_types: [
        'authorization_code',
        'refresh_token',
        ...(row.device_flow && !isTest ? [DEVICE_CODE_GRANT] : []),
        ...(row.secret_hash === null ? [] : [OWN_GRANT]),
      ],
      response_types: ['code'],
      ...(row.secret_hash === null
        ? { token_endpoint_auth_method: 'none' }
        : { token_endpoint_auth_method: 'client_secret_basic', client_secret: SEE_SECRETS }),
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
