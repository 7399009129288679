import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { toNova } from '../../wallet/nova-amount.js';
import { type BulkBatch, BulkBatches } from './bulk-batches.js';
import type { BulkVerdictDto } from './bulk-grants.dto.js';
import { GrantPlans, readyRow, renderRows } from './grant-plan.js';

export class CheckBulkGrants extends Query<BulkVerdictDto> {
  constructor(
    readonly csv: string,
    readonly adminId: string,
    /** Whom the rows mean, where that is settled. */
    readonly memberIds: BulkBatch['memberIds'] = null,
  ) {
    super();
  }
}

/** The verdict on each row of a file. Nothing is written. */
@QueryHandler(CheckBulkGrants)
export class CheckBulkGrantsHandler implements IQueryHandler<CheckBulkGrants> {
  constructor(
    private readonly plans: GrantPlans,
    private readonly batches: BulkBatches,
  ) {}

  /** @throws AppError 400 `INVALID_CSV` */
  async execute({ csv, adminId, memberIds }: CheckBulkGrants): Promise<BulkVerdictDto> {
    const read = await this.plans.asBegun(await this.plans.read(csv), memberIds);
    const plan = await this.plans.judge(read, adminId);
    const earlier = await this.batches.ofFile(plan.fileHash);
    const ready = plan.rows.flatMap((row) => readyRow(row) ?? []);
    return {
      rows: renderRows(plan.rows),
      acceptable: ready.length,
      refused: plan.rows.length - ready.length,
      total: toNova(ready.reduce((sum, { amount }) => sum + amount, 0n)),
      appliedBefore: earlier ? await this.batches.render(earlier) : null,
    };
  }
}
