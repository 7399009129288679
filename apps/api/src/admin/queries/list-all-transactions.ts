import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DELETED_MEMBER } from '../../identity/member-directory.js';
import { ReadModels } from '../../wallet/read-models.js';
import { Transactions } from '../../wallet/transactions.js';
import type { AdminTransactionsDto } from '../admin.dto.js';
import { paginationOf } from '../page.dto.js';
import { type TransactionListDto, toStatementFilter } from '../transaction-filter.dto.js';

export class ListAllTransactions extends Query<AdminTransactionsDto> {
  constructor(readonly filter: TransactionListDto) {
    super();
  }
}

/** `GET /api/admin/transactions` (rule admin-14): every member's statement rows by time, newest first unless asked otherwise. */
@QueryHandler(ListAllTransactions)
export class ListAllTransactionsHandler implements IQueryHandler<ListAllTransactions> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly transactions: Transactions,
  ) {}

  async execute({ filter }: ListAllTransactions): Promise<AdminTransactionsDto> {
    const { rows, total } = await this.readModels.statement.list(toStatementFilter(filter), filter);
    const rendered = await this.transactions.renderWithOwners(rows);
    return {
      transactions: rendered.map(({ row, transaction, owner }) =>
        Object.assign(transaction, {
          userId: row.userId,
          userName: owner?.displayName ?? DELETED_MEMBER,
          userEmail: owner?.email ?? '',
        }),
      ),
      pagination: paginationOf(filter, total),
    };
  }
}
