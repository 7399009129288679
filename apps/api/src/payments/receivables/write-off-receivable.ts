import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { novaText } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { AdminReasons } from '../../admin/admin-reasons.js';
import { type Call, calledBy } from '../../platform/current-call.js';
import { notFound } from '../../platform/errors/app-error.js';
import { eventOf, expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { REASON_CAUSE } from '../../wallet/event-details.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { WrittenOffDto } from './receivables.dto.js';

export class WriteOffReceivable extends Command<WrittenOffDto> {
  constructor(
    readonly reversalId: string,
    readonly by: { readonly adminId: string; readonly reason: string },
    readonly call: Call,
  ) {
    super();
  }
}

/** Gives up what is left of a shortfall (rule ledger-40). */
@CommandHandler(WriteOffReceivable)
export class WriteOffReceivableHandler implements ICommandHandler<WriteOffReceivable> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly reasons: AdminReasons,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws AppError 404 no such receivable, 409 `NO_SHORTFALL` */
  async execute({ reversalId, by: { adminId, reason }, call }: WriteOffReceivable): Promise<WrittenOffDto> {
    const receivable = await this.readModels.receivables.find(reversalId);
    if (!receivable) throw notFound('This receivable');
    const { userId } = receivable;
    const reasonId = await this.reasons.write({ adminId, userId, text: reason });
    const outcome = await this.ledger.execute({
      command: { type: 'WriteOffShortfall', userId, reversalId, adminId },
      actor: `admin:${adminId}`,
      cause: `${REASON_CAUSE}${reasonId}`,
      ...calledBy(call, `admin:${adminId}:admin.write-off`),
    });
    if (outcome.status !== 'accepted' || outcome.repeated) await this.reasons.discard(reasonId);
    const accepted = expectAccepted(outcome);
    const { id, event } = eventOf(accepted, 'ShortfallWrittenOff');
    const { projected } = await this.readModels.adminsCaughtUp(accepted.revision);
    return { eventId: id, amount: toNova(event.amount), message: `Wrote off ${novaText(event.amount)}.`, projected };
  }
}
