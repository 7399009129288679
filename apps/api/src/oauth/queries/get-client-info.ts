import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { toNova } from '../../wallet/nova-amount.js';
import { applicationNotFound } from '../application-not-found.js';
import { Applications } from '../applications.js';
import type { ApplicationOwnerDto, ClientInfoDto } from '../consent.dto.js';
import { Consents } from '../consents.js';
import { DAILY_LIMIT_DEFAULT } from '../limits.js';

export class GetClientInfo extends Query<ClientInfoDto> {
  constructor(
    readonly memberId: string,
    readonly clientId: string,
  ) {
    super();
  }
}

/** The application that asks for access (rule oauth-9). */
@QueryHandler(GetClientInfo)
export class GetClientInfoHandler implements IQueryHandler<GetClientInfo> {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly applications: Applications,
    private readonly consents: Consents,
  ) {}

  /** @throws AppError 404 unknown, deleted or switched off */
  async execute({ memberId, clientId }: GetClientInfo): Promise<ClientInfoDto> {
    const application = await this.applications.find(clientId);
    if (!application?.isActive) throw applicationNotFound();
    const { name, description, logoUrl, applicationUrl, scopes, ownerId } = application;
    const [consent, owner] = await Promise.all([this.consents.find(memberId, clientId), this.owner(ownerId)]);
    if (!owner) throw applicationNotFound();
    return {
      name,
      description,
      logoUrl,
      applicationUrl,
      owner,
      scopes: [...scopes],
      dailyLimit: consent ? toNova(consent.dailyLimit) : DAILY_LIMIT_DEFAULT,
      isFirstConsent: consent === undefined,
    };
  }

  private async owner(ownerId: string): Promise<ApplicationOwnerDto | undefined> {
    const { rows } = await this.pool.query<{ display_name: string; created_at: Date }>(
      'select display_name, created_at from member_directory where id = $1 and closed_at is null',
      [ownerId],
    );
    const [row] = rows;
    return row && { displayName: row.display_name, memberSince: row.created_at.toISOString() };
  }
}
