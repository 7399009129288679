import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { AuthorizedApplicationDto, AuthorizedApplicationsDto } from '../consent.dto.js';
import { isScope, withOpenid } from '../scopes.js';

export class ListAuthorizedApplications extends Query<AuthorizedApplicationsDto> {
  constructor(readonly memberId: string) {
    super();
  }
}

/** Includes applications that are switched off: their tokens become valid again when they are switched on. */
const FIND = `
  select a.client_id, a.name, a.description, a.logo_url, a.application_url, c.scopes, c.daily_limit, c.first_consent_at,
    c.last_consent_at
  from oauth_consents c
  join oauth_applications a on a.client_id = c.client_id and a.deleted_at is null
  join member_directory o on o.id = a.owner_id and o.closed_at is null
  where c.user_id = $1 and c.revoked_at is null
  order by c.last_consent_at desc, a.client_id`;

interface ConsentRow {
  readonly client_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly logo_url: string | null;
  readonly application_url: string | null;
  readonly scopes: readonly string[];
  readonly daily_limit: string;
  readonly first_consent_at: Date;
  readonly last_consent_at: Date;
}

/** The applications that act for the member (rule oauth-8). */
@QueryHandler(ListAuthorizedApplications)
export class ListAuthorizedApplicationsHandler implements IQueryHandler<ListAuthorizedApplications> {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async execute({ memberId }: ListAuthorizedApplications): Promise<AuthorizedApplicationsDto> {
    const { rows } = await this.pool.query<ConsentRow>(FIND, [memberId]);
    return { applications: rows.map(toAuthorizedApplication) };
  }
}

const toAuthorizedApplication = (row: ConsentRow): AuthorizedApplicationDto => ({
  id: row.client_id,
  name: row.name,
  description: row.description,
  logoUrl: row.logo_url,
  applicationUrl: row.application_url,
  grantedScopes: withOpenid(row.scopes.filter(isScope)),
  dailyLimit: row.scopes.includes('nova') ? toNova(BigInt(row.daily_limit)) : null,
  firstConsentAt: row.first_consent_at.toISOString(),
  lastConsentAt: row.last_consent_at.toISOString(),
});
