import { Injectable } from '@nestjs/common';
import { invariant, ROW_LABELS } from '@app/domain';
import type { StatementGroup, StatementRow } from '@app/projections';
import type pg from 'pg';
import { Books, type MemberStatement } from '../../finance/books.js';
import { databaseTime } from '../../finance/moments.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ReadModels } from '../read-models.js';
import type { Month } from './month.js';

/** A month of a member's Nova (rule wallet-21). Minor units. */
export interface MonthStatement extends MemberStatement {
  readonly month: Month;
  /** False: it says what happened so far. */
  readonly isOver: boolean;
  /** The month's rows by type, in the order of `ROW_LABELS`. They and the change of `owed` are the change of `nova`. */
  readonly groups: readonly StatementGroup[];
}

const ORDER: readonly string[] = Object.keys(ROW_LABELS);

/** Statements of a month, made from the books at its first and last moment (rule wallet-21). */
@Injectable()
export class MonthStatements {
  constructor(
    private readonly books: Books,
    private readonly readModels: ReadModels,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  /** @throws AppError 400 the month has not begun; 503 the read models have not come as far */
  async of(userId: string, month: Month): Promise<MonthStatement> {
    const now = await databaseTime(this.pool);
    if (month.start.getTime() > now) throw new AppError(400, 'INVALID_MONTH', 'This month has not begun yet.');
    const period = await this.books.period({ from: month, to: month });
    const [statement, groups] = await Promise.all([
      this.books.memberStatement(userId, period),
      this.readModels.statement.groups(userId, revisionsOf(period)),
    ]);
    const { nova, owed } = statement;
    const moved = groups.reduce((sum, { amount }) => sum + amount, owed.closing - owed.opening);
    invariant(nova.opening + moved === nova.closing, `the rows of ${userId} in ${month.name} do not add up`);
    return {
      ...statement,
      month,
      isOver: now >= month.end.getTime(),
      groups: groups.toSorted((one, other) => ORDER.indexOf(one.type) - ORDER.indexOf(other.type)),
    };
  }

  /** Its rows, oldest first, in batches. */
  rows({ userId, ...period }: MonthStatement): AsyncGenerator<StatementRow[], void, undefined> {
    return this.readModels.statement.stream(userId, revisionsOf(period));
  }
}

const revisionsOf = ({ opening, closing }: Pick<MonthStatement, 'opening' | 'closing'>) => ({
  first: opening.revision + 1,
  last: closing.revision,
});
