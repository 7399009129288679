import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { toNova } from '../nova-amount.js';
import { ReadModels } from '../read-models.js';
import type { TransactionTotalsDto } from '../wallet.dto.js';
import { type StatementFilterDto, toFilter } from './statement-filter.dto.js';

export class GetTransactionTotals extends Query<TransactionTotalsDto> {
  constructor(
    readonly userId: string,
    readonly filter: StatementFilterDto,
  ) {
    super();
  }
}

/** `GET /api/nova/transactions/totals`: of all rows that the filter finds (rule wallet-24). */
@QueryHandler(GetTransactionTotals)
export class GetTransactionTotalsHandler implements IQueryHandler<GetTransactionTotals> {
  constructor(private readonly readModels: ReadModels) {}

  /** @throws AppError 400 `INVALID_DATE` */
  async execute({ userId, filter }: GetTransactionTotals): Promise<TransactionTotalsDto> {
    const totals = await this.readModels.statement.totals(userId, toFilter(filter));
    return { count: totals.count, in: toNova(totals.in), out: toNova(totals.out) };
  }
}
