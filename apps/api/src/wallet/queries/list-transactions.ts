import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import type { StatementType } from '@app/domain';
import { IsIn, IsOptional } from 'class-validator';
import { withCursor } from '../cursors.js';
import { ReadModels } from '../read-models.js';
import { accruedRow, Transactions } from '../transactions.js';
import type { TransactionsPageDto } from '../wallet.dto.js';
import { StatementFilterDto, toFilter } from './statement-filter.dto.js';

/** What a member does or gets many times a day, for little. */
const SMALL_TYPES: readonly StatementType[] = [
  'feed_scroll_send',
  'feed_scroll_receive',
  'card_unlock_send',
  'card_unlock_receive',
  'card_upvote_send',
  'card_upvote_receive',
  'card_navigate_send',
  'card_navigate_receive',
  'wall_comment_send',
  'wall_comment_receive',
  'influence_reward',
  'karma_reward',
  'thread_reward',
];

export class TransactionsQueryDto extends StatementFilterDto {
  @ApiPropertyOptional({
    enum: ['day'],
    description: 'Small movements of one type and day (UTC) are one row, at the place of the newest.',
  })
  @IsIn(['', 'day'], { message: 'Transactions are grouped by day only.', context: { code: 'INVALID_GROUP' } })
  @IsOptional()
  groupBy?: 'day' | '';
}

export class ListTransactions extends Query<TransactionsPageDto> {
  constructor(
    readonly userId: string,
    readonly page: TransactionsQueryDto,
  ) {
    super();
  }
}

/** `GET /api/nova/transactions` (rules wallet-2, wallet-24). */
@QueryHandler(ListTransactions)
export class ListTransactionsHandler implements IQueryHandler<ListTransactions> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError 400 `INVALID_CURSOR`, `INVALID_DATE` */
  async execute({
    userId,
    page: { limit, cursor, groupBy, ...wanted },
  }: ListTransactions): Promise<TransactionsPageDto> {
    const filter = toFilter(wanted);
    const page = await withCursor(() =>
      this.readModels.statement.page({
        userId,
        limit,
        filter,
        byDay: groupBy === 'day' ? SMALL_TYPES : [],
        ...(cursor ? { cursor } : {}),
      }),
    );
    const rows = await this.transactions.render(page.lines);
    const isFirst = !cursor && Object.keys(filter).length === 0;
    const first = isFirst && page.owed > 0n ? [accruedRow(page, new Date())] : [];
    return { transactions: [...first, ...rows], nextCursor: page.nextCursor };
  }
}
