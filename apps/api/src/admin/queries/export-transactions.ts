import { Readable } from 'node:stream';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Money } from '@app/domain';
import type { StatementFilter } from '@app/projections';
import { DELETED_MEMBER } from '../../identity/member-directory.js';
import { ReadModels } from '../../wallet/read-models.js';
import { Transactions } from '../../wallet/transactions.js';
import { csvWriter, textCell } from '../csv.js';
import { type TransactionFilterDto, toStatementFilter } from '../transaction-filter.dto.js';

const COLUMNS = [
  'Date',
  'Type',
  'Amount',
  'Balance After',
  'User',
  'Email',
  'Description',
  'Counterparty',
  'User ID',
  'Transaction ID',
  'Event ID',
] as const;

export class ExportTransactions extends Query<Readable> {
  constructor(readonly filter: TransactionFilterDto) {
    super();
  }
}

/**
 * `GET /api/admin/transactions.csv` (S1 §2.6): the rows of the list, all of them. Read in batches as fast as the reader takes
 * them, so that memory does not grow with the export and no database connection is held meanwhile.
 */
@QueryHandler(ExportTransactions)
export class ExportTransactionsHandler implements IQueryHandler<ExportTransactions> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly transactions: Transactions,
  ) {}

  /** The first batch is read before anything is answered: what is wrong by then is an error, not half a file. */
  async execute({ filter }: ExportTransactions): Promise<Readable> {
    const records = this.records(toStatementFilter(filter));
    const first = await records.next();
    return Readable.from(startingWith(first, records), { objectMode: true, highWaterMark: 16 }).compose(
      csvWriter(COLUMNS),
    );
  }

  private async *records(filter: StatementFilter): AsyncGenerator<readonly string[], void, undefined> {
    for await (const rows of this.readModels.statement.stream(filter)) {
      for (const { row, transaction, owner } of await this.transactions.renderWithOwners(rows)) {
        yield [
          transaction.createdAt,
          row.type,
          Money.ofMinor(row.amount).toDecimal(),
          Money.ofMinor(row.balance).toDecimal(),
          textCell(owner?.displayName ?? DELETED_MEMBER),
          textCell(owner?.email ?? ''),
          textCell(transaction.description),
          textCell(transaction.counterparty?.displayName ?? ''),
          row.userId,
          // A row's id reads like a date to spreadsheets.
          `'${row.id}`,
          row.eventId,
        ];
      }
    }
  }
}

async function* startingWith<T>(
  first: IteratorResult<T, void>,
  rest: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
