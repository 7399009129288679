import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { toNova } from '../../wallet/nova-amount.js';
import { applicationNotFound } from '../application-not-found.js';
import { Applications } from '../applications.js';
import type { ClientInfoDto } from '../consent.dto.js';
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

/** Who asks for access (S1 §2.11). */
@QueryHandler(GetClientInfo)
export class GetClientInfoHandler implements IQueryHandler<GetClientInfo> {
  constructor(
    private readonly applications: Applications,
    private readonly consents: Consents,
  ) {}

  /** @throws AppError 404 unknown, deleted or switched off */
  async execute({ memberId, clientId }: GetClientInfo): Promise<ClientInfoDto> {
    const application = await this.applications.find(clientId);
    if (!application?.isActive) throw applicationNotFound();
    const { name, description, logoUrl, applicationUrl, scopes } = application;
    const consent = await this.consents.find(memberId, clientId);
    return {
      name,
      description,
      logoUrl,
      applicationUrl,
      scopes: [...scopes],
      dailyLimit: consent ? toNova(consent.dailyLimit) : DAILY_LIMIT_DEFAULT,
      isFirstConsent: consent === undefined || consent.isRevoked,
    };
  }
}
