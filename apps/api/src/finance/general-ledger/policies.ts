import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AdminReasons } from '../../admin/admin-reasons.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type ByFinance, withReason } from './adjustments.js';
import { BooksStream } from './books-stream.js';
import { FiscalCalendar } from './fiscal-calendar.js';
import { firstOpen } from './provider-movements.js';

export class SetPolicy extends Command<void> {
  constructor(
    readonly policy: { readonly allowancePercent: number },
    /** The first month for which it holds. */
    readonly month: string,
    readonly by: ByFinance,
  ) {
    super();
  }
}

/** Sets the accounting policy from an open month on (rule finance-10). */
@CommandHandler(SetPolicy)
export class SetPolicyHandler implements ICommandHandler<SetPolicy> {
  constructor(
    private readonly stream: BooksStream,
    private readonly calendar: FiscalCalendar,
    private readonly reasons: AdminReasons,
  ) {}

  /** @throws AppError 400, 409 `BOOKS_CLOSED`, 503 */
  async execute({ policy: { allowancePercent }, month, by }: SetPolicy): Promise<void> {
    const { adminId, requestId } = by;
    const effectiveAt = this.calendar.month(month).from.getTime();
    await withReason(this.reasons, by, (reasonId) =>
      this.stream.append(
        async (books) => {
          if (effectiveAt < (await firstOpen(books))) {
            throw new AppError(409, 'BOOKS_CLOSED', 'The books are closed in this month. Choose a later one.');
          }
          const [last] = await books.policies();
          const isSet = last?.effectiveAt.getTime() === effectiveAt && last.allowancePercent === allowancePercent;
          if (isSet) return [];
          return [{ type: 'PolicySet', allowancePercent, effectiveAt, adminId, reasonId, at: Date.now() }];
        },
        { actor: `admin:${adminId}`, correlationId: requestId },
      ),
    );
  }
}
