import { Money } from '@app/domain';
import { ACCRUED_DESCRIPTION, type StatementRow } from '@app/projections';
import { csvHeader, csvLines } from '../../admin/csv.js';
import type { MonthStatement } from './month-statements.js';

const COLUMNS = ['Date', 'Type', 'Description', 'Amount', 'Balance', 'Revision', 'Event ID', 'Chain Hash'] as const;

/** For the description of the API. */
export const MONTH_STATEMENT_CSV_EXAMPLE = `${COLUMNS.join(',')}\r\n2026-11-27T12:00:00.000Z,gift_send,Gift to Ben,-1000.00,250.00,42,0000002a-002a-8c1d-9e2f-3a4b5c6d7e8f,\r\n`;

/** A row with its sentence. */
export interface DescribedRow {
  readonly row: StatementRow;
  readonly description: string;
}

const decimal = (minor: bigint): string => Money.ofMinor(minor).toDecimal();

/**
 * A month's statement as CSV, in pieces: every balance is the one before it and the amount of its row. Every text begins
 * with words of ours, so no spreadsheet takes a name for a formula.
 */
export async function* monthStatementCsv(
  statement: MonthStatement,
  batches: AsyncIterable<readonly DescribedRow[]>,
): AsyncGenerator<string, void, undefined> {
  const { month, opening, closing, nova, owed, isOver } = statement;
  const end = isOver ? month.end : new Date(closing.at ?? month.start);
  const revision = (at: number): string => (at < 0 ? '' : String(at));
  yield csvHeader(COLUMNS);
  yield csvLines([
    [
      month.start.toISOString(),
      'opening',
      'Opening balance',
      '',
      decimal(nova.opening),
      revision(opening.revision),
      '',
      opening.hash,
    ],
  ]);
  for await (const batch of batches) {
    yield csvLines(
      batch.map(({ row, description }) => [
        row.createdAt.toISOString(),
        row.type,
        description,
        decimal(row.amount),
        decimal(row.balance + owed.opening),
        String(row.revision),
        row.eventId,
        '',
      ]),
    );
  }
  const accrued = owed.closing - owed.opening;
  const last = [revision(closing.revision), '', closing.hash];
  yield csvLines([
    [end.toISOString(), 'accrued', ACCRUED_DESCRIPTION, decimal(accrued), decimal(nova.closing), '', '', ''],
    [end.toISOString(), 'closing', isOver ? 'Closing balance' : 'Balance so far', '', decimal(nova.closing), ...last],
  ]);
}
