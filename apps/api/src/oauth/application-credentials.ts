import { applicationIdOf, isTestClientId } from '@app/domain';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { ApplicationSecrets } from './application-secrets.js';
import { isClientId } from './client-id.js';
import { CLIENT_SECRETS, secretHash } from './new-secret.js';
import { isOwnScope, type OwnScope, ownScopesOf } from './own-scopes.js';
import { tokenId } from './provider/token-id.js';

/** An application that proved itself by a secret, or by a token for one: it acts for itself, not for a member. */
export interface ProvenApplication {
  /** Its own, or its test client's. */
  readonly clientId: string;
  readonly ownerId: string;
  readonly secretName: string;
  readonly scopes: ReadonlySet<OwnScope>;
}

const LIVING = `
  join oauth_applications a on a.client_id = s.application_id and a.is_active and a.deleted_at is null and a.secret_hash is not null
  join member_directory o on o.id = a.owner_id and o.closed_at is null`;

const BY_SECRET = `
  select a.owner_id as "ownerId", s.name as "secretName" from ${CLIENT_SECRETS} s ${LIVING}
  where s.application_id = $1 and s.is_test = $2 and s.hash = $3`;

/** A token ends with its secret. */
const BY_TOKEN = `
  select t.client_id as "clientId", a.owner_id as "ownerId", s.name as "secretName", t.payload ->> 'scope' as scope
  from oauth_payloads t
  join ${CLIENT_SECRETS} s on s.application_id = regexp_replace(t.client_id, '^test_', '')
    and s.is_test = (t.client_id like 'test\\_%') and s.id = t.payload #>> '{extra,secret_id}' ${LIVING}
  where t.model = 'ClientCredentials' and t.id = $1 and t.expires_at > now()`;

interface ProvenRow {
  readonly clientId: string;
  readonly ownerId: string;
  readonly secretName: string;
}

/** How applications prove that they act for themselves (rule apps-10). Public applications cannot. */
@Injectable()
export class ApplicationCredentials {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly secrets: ApplicationSecrets,
  ) {}

  /** Undefined if the application is unknown, switched off, public or has other secrets. It may do everything of its own. */
  async bySecret(clientId: string, secret: string): Promise<ProvenApplication | undefined> {
    if (!isClientId(clientId)) return undefined;
    const hash = secretHash(secret);
    const values = [applicationIdOf(clientId), isTestClientId(clientId), hash];
    const { rows } = await this.pool.query<Omit<ProvenRow, 'clientId'>>({
      name: 'find-application-secret',
      text: BY_SECRET,
      values,
    });
    const [row] = rows;
    if (!row) return undefined;
    await this.secrets.noteUse(clientId, hash);
    return { ...row, clientId, scopes: new Set(ownScopesOf(clientId)) };
  }

  /** Undefined if the token is unknown, a member's, expired or revoked, or its secret is. */
  async byToken(bearer: string): Promise<ProvenApplication | undefined> {
    const { rows } = await this.pool.query<ProvenRow & { readonly scope: string | null }>({
      name: 'find-application-token',
      text: BY_TOKEN,
      values: [tokenId(bearer)],
    });
    const [row] = rows;
    if (!row) return undefined;
    const { scope, ...application } = row;
    return { ...application, scopes: new Set((scope ?? '').split(' ').filter(isOwnScope)) };
  }
}
