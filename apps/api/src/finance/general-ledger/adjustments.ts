import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONTROLLED_ACCOUNTS, type DollarAccount, writeLines } from '@app/domain';
import { v7 as uuidv7 } from 'uuid';
import { AdminReasons } from '../../admin/admin-reasons.js';
import { derivedId } from '../../platform/derived-id.js';
import { AppError } from '../../platform/errors/app-error.js';
import { KeyUses } from '../../platform/key-uses/key-uses.js';
import { BooksStream, type DecideBooks } from './books-stream.js';
import { FiscalCalendar } from './fiscal-calendar.js';
import { firstOpen } from './provider-movements.js';

export interface ByFinance {
  readonly adminId: string;
  readonly requestId: string;
  readonly reason: string;
}

export class PostAdjustment extends Command<void> {
  constructor(
    /** A day in the time zone of the books. */
    readonly date: string,
    readonly lines: readonly { readonly account: DollarAccount; readonly cents: number }[],
    readonly by: ByFinance,
    readonly key: string | undefined,
  ) {
    super();
  }
}

export function refuseControlled(accounts: readonly DollarAccount[]): void {
  const controlled = accounts.find((account) => CONTROLLED_ACCOUNTS.has(account));
  if (controlled === undefined) return;
  throw new AppError(
    400,
    'CONTROL_ACCOUNT',
    `Nothing is posted to ${controlled} by hand: it follows from the journal and the payment provider.`,
  );
}

/** Writes the reason's row before the event that names it, and takes it back if nothing was posted. */
export async function withReason(
  reasons: AdminReasons,
  { adminId, reason }: ByFinance,
  work: (reasonId: string) => Promise<readonly unknown[]>,
): Promise<void> {
  const reasonId = await reasons.write({ adminId, userId: adminId, text: reason });
  try {
    const posted = await work(reasonId);
    if (posted.length === 0) await reasons.discard(reasonId);
  } catch (error) {
    if (error instanceof AppError && error.statusCode < 500) await reasons.discard(reasonId);
    throw error;
  }
}

/** An entry in dollars by hand: an accrual, an expected loss, a release (rule finance-8). */
@CommandHandler(PostAdjustment)
export class PostAdjustmentHandler implements ICommandHandler<PostAdjustment> {
  constructor(
    private readonly stream: BooksStream,
    private readonly calendar: FiscalCalendar,
    private readonly reasons: AdminReasons,
    private readonly keys: KeyUses,
  ) {}

  /** @throws AppError 400, 409 `BOOKS_CLOSED`, 422 the key came with another adjustment before, 503 */
  async execute({ date, lines: given, by, key }: PostAdjustment): Promise<void> {
    const { adminId, reason } = by;
    refuseControlled(given.map(({ account }) => account));
    if (given.reduce((sum, { cents }) => sum + cents, 0) !== 0 || given.some(({ cents }) => cents === 0)) {
      throw new AppError(400, 'UNBALANCED', 'Debits and credits must be equal, and no line zero.');
    }
    const postedAt = this.calendar.days(date, date).from.getTime();
    if (postedAt > Date.now()) throw new AppError(400, 'INVALID_DATE', 'The date is in the future.');
    const scope = `admin:${adminId}:adjustments`;
    const adjustmentId = key === undefined ? uuidv7() : derivedId(scope, key);
    // Its lines carry its id: a repeated call finds them.
    const lines = given.map(({ account, cents }) => ({ account, subject: adjustmentId, cents: BigInt(cents) }));
    const body = [date, reason, ...given.flatMap(({ account, cents }) => [account, cents])];
    await this.keys.guard({ scope, key, body }, () =>
      withReason(this.reasons, by, (reasonId) => {
        const decide: DecideBooks = async (books) => {
          if (await books.hasSubject(adjustmentId)) return [];
          if (postedAt < (await firstOpen(books))) {
            throw new AppError(409, 'BOOKS_CLOSED', 'The books are closed at this date. Choose a later one.');
          }
          const adjustment = { adjustmentId, lines: writeLines(lines), postedAt, adminId, reasonId };
          return [{ type: 'AdjustmentPosted', ...adjustment, at: Date.now() }];
        };
        return this.stream.append(decide, { actor: `admin:${adminId}`, correlationId: by.requestId });
      }),
    );
  }
}
