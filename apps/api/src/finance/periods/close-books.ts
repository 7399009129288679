import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ByAdmin } from '../../admin/admin-acts.js';
import { AdminReasons } from '../../admin/admin-reasons.js';
import { Moderation } from '../../admin/moderation.js';
import { derivedId } from '../../platform/derived-id.js';
import { PeriodClosing } from './period-closing.js';
import type { ClosedPeriod } from './sealed-periods.js';

export class CloseBooks extends Command<ClosedPeriod> {
  constructor(
    /** The last moment that belongs to the period, in milliseconds since 1970. */
    readonly endsAt: number,
    readonly by: ByAdmin,
  ) {
    super();
  }
}

/** Seals the books up to a moment: nothing can be dated before it from then on. */
@CommandHandler(CloseBooks)
export class CloseBooksHandler implements ICommandHandler<CloseBooks> {
  constructor(
    private readonly closing: PeriodClosing,
    private readonly reasons: AdminReasons,
    private readonly moderation: Moderation,
  ) {}

  /** @throws AppError 409, 500 `JOURNAL_BROKEN`, 503 */
  async execute({ endsAt, by }: CloseBooks): Promise<ClosedPeriod> {
    const { adminId, requestId } = by;
    const period = await this.closing.close({
      endsAt,
      adminId,
      by: { actor: `admin:${adminId}`, correlationId: requestId },
    });
    if (period.adminId === adminId) await this.record(period, by);
    return period;
  }

  /** The period itself says who closed it; this puts it, with the reason, where admins look for what admins did. */
  private async record({ number, seal }: ClosedPeriod, { adminId, requestId, reason }: ByAdmin): Promise<void> {
    const reasonId = reason ? derivedId('period', seal) : null;
    if (reason && reasonId) await this.reasons.writeMany([{ id: reasonId, adminId, userId: adminId, text: reason }]);
    const act = { type: 'BooksClosed', adminId, targetId: `period-${number}`, subjectId: null, reasonId } as const;
    await this.moderation.recordOnce(act, requestId);
  }
}
