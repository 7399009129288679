import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DAY_MS } from '@app/domain';
import { offsetOf, paginationOf } from '../../admin/page.dto.js';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { type Config, InjectConfig } from '../../platform/config.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { ReceivablesDto, ReceivablesQueryDto } from './receivables.dto.js';

export class ListReceivables extends Query<ReceivablesDto> {
  constructor(readonly page: ReceivablesQueryDto) {
    super();
  }
}

/** `GET /api/admin/receivables`: what members owe, oldest first (rule ledger-40). */
@QueryHandler(ListReceivables)
export class ListReceivablesHandler implements IQueryHandler<ListReceivables> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly directory: MemberDirectory,
    @InjectConfig() private readonly config: Config,
  ) {}

  async execute({ page }: ListReceivables): Promise<ReceivablesDto> {
    const { rows, count, sum } = await this.readModels.receivables.open({ limit: page.limit, offset: offsetOf(page) });
    const members = await this.directory.find(rows.map(({ userId }) => userId));
    return {
      receivables: rows.map(({ userId, shortfall, repaid, open, openedAt, ...row }) => ({
        ...row,
        userId,
        userName: members.get(userId)?.displayName ?? DELETED_MEMBER,
        shortfall: toNova(shortfall),
        repaid: toNova(repaid),
        open: toNova(open),
        openedAt: openedAt.toISOString(),
        ageDays: Math.max(0, Math.floor((Date.now() - openedAt.getTime()) / DAY_MS)),
      })),
      totalOpen: toNova(sum),
      repaysItself: this.config.repayShortfalls,
      pagination: paginationOf(page, count),
    };
  }
}
