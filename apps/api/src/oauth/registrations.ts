import { randomBytes } from 'node:crypto';
import { testClientIdOf } from '@app/domain';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { holdUntilEnd, inTransaction } from '../platform/database/in-transaction.js';
import { APPLICATIONS_MAX } from './limits.js';
import { newSecret, secretHash } from './new-secret.js';
import { type Scope, withOpenid } from './scopes.js';

/** A developer's description of an application. */
export interface Description {
  readonly name: string;
  readonly description: string | null;
  readonly logoUrl: string | null;
  readonly applicationUrl: string | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly requirePkce: boolean;
  readonly deviceFlow: boolean;
}

export interface NewRegistration extends Description {
  readonly ownerId: string;
  readonly isPublic: boolean;
}

/** Absent fields stay unchanged. */
export type Changes = Partial<Description & { readonly isActive: boolean }>;

export interface Credentials {
  readonly clientId: string;
  /** Shown once; only its hash is kept. Null for a public application. */
  readonly clientSecret: string | null;
}

const REGISTER = `
  insert into oauth_applications
    (client_id, owner_id, name, description, logo_url, application_url, redirect_uris, scopes, require_pkce,
      device_flow, secret_hash)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
  where (select count(*) from oauth_applications where owner_id = $2 and deleted_at is null) < $12
    and exists (select from member_directory where id = $2 and closed_at is null)`;

/** Null fields stay unchanged; an empty text clears the field. */
const UPDATE = `
  update oauth_applications set name = coalesce($3, name), description = nullif(coalesce($4, description), ''),
    logo_url = nullif(coalesce($5, logo_url), ''), application_url = nullif(coalesce($6, application_url), ''),
    redirect_uris = coalesce($7, redirect_uris), scopes = coalesce($8, scopes), is_active = coalesce($9, is_active),
    require_pkce = coalesce($10, require_pkce), device_flow = coalesce($11, device_flow)
  where client_id = $1 and owner_id = $2 and deleted_at is null`;

/** Writes applications. */
@Injectable()
export class Registrations {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Undefined if the developer already has the maximum number. */
  async register(application: NewRegistration): Promise<Credentials | undefined> {
    const clientId = randomBytes(16).toString('hex');
    const clientSecret = application.isPublic ? null : newSecret();
    const { ownerId } = application;
    const values = [clientId, ownerId, ...described(application), clientSecret && secretHash(clientSecret)];
    return inTransaction(this.pool, async (client) => {
      // One at a time for each developer: registrations at the same time would not see each other.
      await holdUntilEnd(client, `oauth:${ownerId}`);
      const { rowCount } = await client.query(REGISTER, [...values, APPLICATIONS_MAX]);
      return rowCount === 1 ? { clientId, clientSecret } : undefined;
    });
  }

  /** Two changes of different fields at the same moment both take effect. */
  async update(ownerId: string, clientId: string, changes: Changes): Promise<void> {
    const { name, description, logoUrl, applicationUrl, redirectUris, scopes, isActive, requirePkce, deviceFlow } =
      changes;
    const texts = [description, logoUrl, applicationUrl].map((text) => (text === null ? '' : text));
    const values = [clientId, ownerId, name, ...texts, redirectUris, scopes && withOpenid(scopes)];
    await this.pool.query(UPDATE, [...values, isActive, requirePkce, deviceFlow]);
  }

  /** Makes a new secret. All others stop working at once. */
  async newSecret(clientId: string): Promise<string> {
    const secret = newSecret();
    await this.pool.query('update oauth_applications set secret_hash = $2 where client_id = $1', [
      clientId,
      secretHash(secret),
    ]);
    return secret;
  }

  /** Ends its sign-ins, consents, grants and tokens. Its name stays for statements. */
  async delete(clientId: string): Promise<void> {
    await this.pool.query(
      'update oauth_applications set deleted_at = now(), is_active = false, secret_hash = null where client_id = $1',
      [clientId],
    );
    await this.pool.query('update oauth_consents set revoked_at = now() where client_id = $1 and revoked_at is null', [
      clientId,
    ]);
    await this.pool.query('delete from oauth_payloads where client_id = any($1)', [
      [clientId, testClientIdOf(clientId)],
    ]);
    await this.pool.query('delete from oauth_test_consents where client_id = $1', [testClientIdOf(clientId)]);
    await this.pool.query('delete from application_calls where client_id = $1', [clientId]);
  }
}

const described = (application: Description): unknown[] => [
  application.name,
  application.description,
  application.logoUrl,
  application.applicationUrl,
  application.redirectUris,
  application.scopes,
  application.requirePkce,
  application.deviceFlow,
];
