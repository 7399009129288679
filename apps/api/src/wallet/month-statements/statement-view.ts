import { Injectable } from '@nestjs/common';
import { MEMBER_BALANCE_CURRENCY, MEMBER_BALANCE_LABELS, Money, ROW_LABELS, type StatementType } from '@app/domain';
import { ACCRUED_DESCRIPTION } from '@app/projections';
import { momentDto, statementLineDto } from '../../finance/books-view.js';
import { MemberDirectory } from '../../identity/member-directory.js';
import { toNova } from '../nova-amount.js';
import { Transactions } from '../transactions.js';
import type { DescribedRow } from './month-statement-csv.js';
import type { MonthStatementDto } from './month-statement.dto.js';
import { type MonthStatement, MonthStatements } from './month-statements.js';
import { monthInWords } from './month.js';
import type { PrintedRow, PrintedStatement } from './printed-statement.js';

/** A statement with more rows prints sums alone: the CSV has every row. */
const PRINTED_ROWS_MAX = 5_000;

/** A month's statement as it is shown, written and printed, names rendered on reading. */
@Injectable()
export class StatementView {
  constructor(
    private readonly statements: MonthStatements,
    private readonly transactions: Transactions,
    private readonly directory: MemberDirectory,
  ) {}

  show({ month, isOver, opening, closing, nova, owed, groups, lines }: MonthStatement): MonthStatementDto {
    return {
      month: month.name,
      isOver,
      opening: momentDto(opening),
      closing: momentDto(closing),
      nova: { opening: toNova(nova.opening), closing: toNova(nova.closing) },
      groups: groups.map(({ type, count, amount }) => ({ type, count, amount: toNova(amount) })),
      accrued: toNova(owed.closing - owed.opening),
      accounts: lines.map(statementLineDto),
    };
  }

  async *describedRows(statement: MonthStatement): AsyncGenerator<DescribedRow[], void, undefined> {
    for await (const rows of this.statements.rows(statement)) {
      const texts = await this.transactions.describe(rows);
      yield rows.map((row, index) => ({ row, description: texts[index]?.withNames ?? '' }));
    }
  }

  async printed(statement: MonthStatement): Promise<PrintedStatement> {
    const { userId, month, isOver, opening, closing, nova, owed, groups, lines } = statement;
    const member = await this.directory.get(userId);
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    const isListed = count <= PRINTED_ROWS_MAX;
    const rows = isListed ? await this.rowsByType(statement) : new Map<StatementType, PrintedRow[]>();
    const accrued = owed.closing - owed.opening;
    const asOf = closing.at === undefined ? '' : ` Up to ${minute(new Date(closing.at))}.`;
    return {
      month: monthInWords(month),
      member: { withNames: member?.displayName ?? userId, withIds: userId },
      period: isOver
        ? 'The whole month. Amounts are Nova unless said otherwise, times are UTC.'
        : `The month so far.${asOf} Amounts are Nova unless said otherwise, times are UTC.`,
      opening: figure(nova.opening),
      change: signed(nova.closing - nova.opening),
      closing: figure(nova.closing),
      closingLabel: isOver ? 'Closing balance' : 'Balance so far',
      groups: [
        ...groups.map((group) => ({
          label: ROW_LABELS[group.type],
          count: group.count === 1 ? '1 movement' : `${group.count.toLocaleString('en-US')} movements`,
          amount: signed(group.amount),
          rows: rows.get(group.type) ?? [],
        })),
        ...(accrued === 0n ? [] : [{ label: ACCRUED_DESCRIPTION, count: 'change', amount: signed(accrued), rows: [] }]),
      ],
      note: isListed
        ? null
        : `The ${count.toLocaleString('en-US')} movements are too many to list here. The CSV file has all of them.`,
      accounts: [
        ...lines.map((line) => {
          const currency = MEMBER_BALANCE_CURRENCY[line.balance];
          const amount = (minor: bigint): string => Money.ofMinor(minor, currency).toString().replace('-', '−');
          const { opening: before, in: gained, out, closing: after } = line;
          return {
            label: MEMBER_BALANCE_LABELS[line.balance],
            opening: amount(before),
            in: amount(gained),
            out: amount(out),
            closing: amount(after),
          };
        }),
        { label: ACCRUED_DESCRIPTION, opening: figure(owed.opening), in: '', out: '', closing: figure(owed.closing) },
      ],
      revision: closing.revision < 0 ? 'none' : String(closing.revision),
      hash: closing.hash,
      date: closing.at ?? opening.at ?? month.start.getTime(),
    };
  }

  private async rowsByType(statement: MonthStatement): Promise<Map<StatementType, PrintedRow[]>> {
    const found = new Map<StatementType, PrintedRow[]>();
    for await (const batch of this.statements.rows(statement)) {
      const texts = await this.transactions.describe(batch);
      for (const [index, { type, createdAt, amount }] of batch.entries()) {
        const description = texts[index];
        if (!description) continue;
        const rows = found.get(type) ?? [];
        rows.push({ date: minute(createdAt).replace(' UTC', ''), description, amount: signed(amount) });
        found.set(type, rows);
      }
    }
    return found;
  }
}

const minute = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** With a minus as wide as a plus. */
const figure = (minor: bigint): string => Money.ofMinor(minor).toString().replace('-', '−');

const signed = (minor: bigint): string => (minor > 0n ? `+${figure(minor)}` : figure(minor));
