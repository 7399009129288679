import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DELETED_APPLICATION } from '@app/projections';
import { Applications } from '../../oauth/applications.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { ApplicationUsesDto } from '../application-wallet.dto.js';

export class ListApplicationUses extends Query<ApplicationUsesDto> {
  constructor(readonly userId: string) {
    super();
  }
}

/** `GET /api/wallet/applications`: what each application did with a member's Nova. */
@QueryHandler(ListApplicationUses)
export class ListApplicationUsesHandler implements IQueryHandler<ListApplicationUses> {
  constructor(
    private readonly applications: Applications,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ userId }: ListApplicationUses): Promise<ApplicationUsesDto> {
    const uses = await this.readModels.applications.usesOf(userId);
    const clientIds = uses.map(({ clientId }) => clientId);
    const known = await this.applications.usedBy(userId, clientIds);
    return {
      applications: uses.map(({ clientId, spent, transferred, earned, spentToday, lastUsedAt }) => {
        const { name = DELETED_APPLICATION, logoUrl = null, dailyLimit = null } = known.get(clientId) ?? {};
        return {
          clientId,
          name,
          logoUrl,
          spent: toNova(spent),
          transferred: toNova(transferred),
          earned: toNova(earned),
          spentToday: toNova(spentToday),
          dailyLimit: dailyLimit === null ? null : toNova(dailyLimit),
          lastUsedAt: lastUsedAt.toISOString(),
        };
      }),
    };
  }
}
