import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { STATEMENT_TYPES, type StatementType } from '@app/domain';
import { IsIn, IsOptional } from 'class-validator';
import { withCursor } from '../cursors.js';
import { CursorPageDto } from '../paging.dto.js';
import { ReadModels } from '../read-models.js';
import { accruedRow, Transactions } from '../transactions.js';
import type { TransactionsPageDto } from '../wallet.dto.js';

export const UNKNOWN_TYPE = 'There is no such type of transaction.';

export class TransactionsQueryDto extends CursorPageDto {
  @ApiPropertyOptional({ enum: STATEMENT_TYPES })
  @IsIn(STATEMENT_TYPES, { message: UNKNOWN_TYPE, context: { code: 'INVALID_TYPE' } })
  @IsOptional()
  type?: StatementType;
}

export class ListTransactions extends Query<TransactionsPageDto> {
  constructor(
    readonly userId: string,
    readonly page: TransactionsQueryDto,
  ) {
    super();
  }
}

/** `GET /api/nova/transactions` (rule wallet-2). */
@QueryHandler(ListTransactions)
export class ListTransactionsHandler implements IQueryHandler<ListTransactions> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError 400 `INVALID_CURSOR` */
  async execute({ userId, page: { limit, cursor, type } }: ListTransactions): Promise<TransactionsPageDto> {
    const page = await withCursor(() =>
      this.readModels.statement.page({
        userId,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
        ...(type === undefined ? {} : { type }),
      }),
    );
    const rows = await this.transactions.render(page.rows);
    const first = cursor === undefined && type === undefined && page.owed > 0n ? [accruedRow(page, new Date())] : [];
    return { transactions: [...first, ...rows], nextCursor: page.nextCursor };
  }
}
