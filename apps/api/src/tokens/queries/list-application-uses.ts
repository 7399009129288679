import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DELETED_APPLICATION } from '@app/projections';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { ApplicationUsesDto } from '../application-wallet.dto.js';

export class ListApplicationUses extends Query<ApplicationUsesDto> {
  constructor(readonly userId: string) {
    super();
  }
}

/** Names also of applications that are deleted; the limit only of a consent that lasts and has the scope. */
const APPLICATIONS = `
  select a.client_id, a.name, a.logo_url, c.daily_limit
  from oauth_applications a
  left join oauth_consents c
    on c.user_id = $1 and c.client_id = a.client_id and c.revoked_at is null and 'nova' = any(c.scopes)
    and a.deleted_at is null
  where a.client_id = any($2)`;

interface ApplicationRow {
  readonly client_id: string;
  readonly name: string;
  readonly logo_url: string | null;
  readonly daily_limit: string | null;
}

/** `GET /api/wallet/applications`: what each application did with a member's Nova. */
@QueryHandler(ListApplicationUses)
export class ListApplicationUsesHandler implements IQueryHandler<ListApplicationUses> {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ userId }: ListApplicationUses): Promise<ApplicationUsesDto> {
    const uses = await this.readModels.applications.usesOf(userId);
    const clientIds = uses.map(({ clientId }) => clientId);
    const { rows } = await this.pool.query<ApplicationRow>(APPLICATIONS, [userId, clientIds]);
    const known = new Map(rows.map((row) => [row.client_id, row]));
    return {
      applications: uses.map(({ clientId, spent, transferred, earned, spentToday, lastUsedAt }) => {
        const {
          name = DELETED_APPLICATION,
          logo_url: logoUrl = null,
          daily_limit: dailyLimit = null,
        } = known.get(clientId) ?? {};
        return {
          clientId,
          name,
          logoUrl,
          spent: toNova(spent),
          transferred: toNova(transferred),
          earned: toNova(earned),
          spentToday: toNova(spentToday),
          dailyLimit: dailyLimit === null ? null : toNova(BigInt(dailyLimit)),
          lastUsedAt: lastUsedAt.toISOString(),
        };
      }),
    };
  }
}
