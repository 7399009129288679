import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { applicationNotFound } from './application-not-found.js';
import { isClientId } from './client-id.js';
import { isScope, type Scope } from './scopes.js';

/** An application that a developer registered (rule oauth-1). */
export interface Application {
  readonly clientId: string;
  readonly ownerId: string;
  readonly name: string;
  readonly description: string | null;
  readonly logoUrl: string | null;
  readonly applicationUrl: string | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly isActive: boolean;
  /** A public application has no secret: it proves itself by PKCE alone. */
  readonly isPublic: boolean;
  /** Authorization requests without a PKCE challenge are refused; always so for a public application. */
  readonly requirePkce: boolean;
  /** Devices without a browser may sign in (RFC 8628). */
  readonly deviceFlow: boolean;
  readonly createdAt: Date;
}

const COLUMNS = `
  a.client_id, a.owner_id, a.name, a.description, a.logo_url, a.application_url, a.redirect_uris, a.scopes, a.is_active,
  a.secret_hash is null as is_public, a.secret_hash is null or a.require_pkce as require_pkce, a.device_flow,
  a.created_at`;

/** Applications of developers whose account is open. */
const LIVING = `oauth_applications a join member_directory o on o.id = a.owner_id and o.closed_at is null where a.deleted_at is null`;

/** An application as a member sees it who let it use their Nova. */
export interface UsedApplication {
  readonly name: string;
  readonly logoUrl: string | null;
  /** Minor units of Nova a UTC day; null if no current consent has the scope. */
  readonly dailyLimit: bigint | null;
}

const USED = `
  select a.client_id, a.name, a.logo_url as "logoUrl", c.daily_limit
  from oauth_applications a
  left join oauth_consents c
    on c.user_id = $1 and c.client_id = a.client_id and c.revoked_at is null and 'nova' = any(c.scopes)
    and a.deleted_at is null
  where a.client_id = any($2)`;

interface ApplicationRow {
  readonly client_id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly logo_url: string | null;
  readonly application_url: string | null;
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly is_active: boolean;
  readonly is_public: boolean;
  readonly require_pkce: boolean;
  readonly device_flow: boolean;
  readonly created_at: Date;
}

const read = (row: ApplicationRow): Application => ({
  clientId: row.client_id,
  ownerId: row.owner_id,
  name: row.name,
  description: row.description,
  logoUrl: row.logo_url,
  applicationUrl: row.application_url,
  redirectUris: row.redirect_uris,
  scopes: row.scopes.filter(isScope),
  isActive: row.is_active,
  isPublic: row.is_public,
  requirePkce: row.require_pkce,
  deviceFlow: row.device_flow,
  createdAt: row.created_at,
});

/** Applications that are not deleted, inactive ones included. */
@Injectable()
export class Applications {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async find(clientId: string): Promise<Application | undefined> {
    return isClientId(clientId) ? (await this.select('and a.client_id = $1', [clientId]))[0] : undefined;
  }

  /** @throws AppError 404, also if the application is another developer's */
  async ownedBy(ownerId: string, clientId: string): Promise<Application> {
    const application = await this.find(clientId);
    if (application?.ownerId !== ownerId) throw applicationNotFound();
    return application;
  }

  /** A developer's own applications, newest first. */
  allOf(ownerId: string): Promise<Application[]> {
    return this.select('and a.owner_id = $1 order by a.created_at desc, a.client_id desc', [ownerId]);
  }

  /** For statements: deleted applications keep their names. */
  async names(clientIds: readonly string[]): Promise<Map<string, string>> {
    if (clientIds.length === 0) return new Map();
    const { rows } = await this.pool.query<{ client_id: string; name: string }>(
      'select client_id, name from oauth_applications where client_id = any($1)',
      [clientIds],
    );
    return new Map(rows.map(({ client_id, name }) => [client_id, name]));
  }

  /** By id; deleted applications keep their names here too. */
  async usedBy(memberId: string, clientIds: readonly string[]): Promise<ReadonlyMap<string, UsedApplication>> {
    const { rows } = await this.pool.query<
      Pick<UsedApplication, 'name' | 'logoUrl'> & { readonly client_id: string; readonly daily_limit: string | null }
    >(USED, [memberId, clientIds]);
    return new Map(
      rows.map(({ client_id, name, logoUrl, daily_limit: limit }) => [
        client_id,
        { name, logoUrl, dailyLimit: limit === null ? null : BigInt(limit) },
      ]),
    );
  }

  private async select(condition: string, values: readonly unknown[]): Promise<Application[]> {
    const { rows } = await this.pool.query<ApplicationRow>(`select ${COLUMNS} from ${LIVING} ${condition}`, [
      ...values,
    ]);
    return rows.map(read);
  }
}
