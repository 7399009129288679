import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type FactOf, reversedPurchaseFacts } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { AdminReasons } from '../../admin/admin-reasons.js';
import { Moderation } from '../../admin/moderation.js';
import { behind } from '../../finance/books.js';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import { eventOf, expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { REASON_CAUSE } from '../../wallet/event-details.js';
import { JournalEvents } from '../../wallet/journal-events.js';
import { reinstatementKey } from '../../wallet/later-events.js';
import { ReadModels } from '../../wallet/read-models.js';
import { Payments } from '../payments.js';
import { PaymentStore } from '../payment-store.js';
import { notFlagged } from './explain-difference.js';
import type { ReconciledLine } from './reconciliation-lines.js';
import { Reconciling } from './reconciling.js';
import { isSettleable, LINE_ID } from './verdicts.js';

const CATCH_UP_MS_MAX = 5_000;

interface Settling {
  readonly adminId: string;
  readonly reason: string;
  readonly requestId: string;
}

export class SettleDifference extends Command<ReconciledLine | undefined> {
  constructor(
    readonly subject: string,
    readonly settling: Settling,
  ) {
    super();
  }
}

/** Settles a flagged difference through the ledger instead of explaining it (rule ledger-39). */
@CommandHandler(SettleDifference)
export class SettleDifferenceHandler implements ICommandHandler<SettleDifference> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly reconciling: Reconciling,
    private readonly payments: Payments,
    private readonly store: PaymentStore,
    private readonly events: JournalEvents,
    private readonly readModels: ReadModels,
    private readonly reasons: AdminReasons,
    private readonly moderation: Moderation,
  ) {}

  /**
   * Looks at the line first, and again afterwards.
   * @throws AppError 403 a closed account, 404, 409 `NOT_FLAGGED`, `NOT_SETTLEABLE`, `NOT_PAID`, 503
   */
  async execute({ subject, settling }: SettleDifference): Promise<ReconciledLine | undefined> {
    const { lines } = this.reconciling;
    const known = LINE_ID.test(subject) ? await lines.find(subject) : undefined;
    if (!known) throw notFound('This line');
    if (known.status !== 'flagged') throw notFlagged();
    const actor = `admin:${settling.adminId}`;
    const line = await this.reconciling.lookAgainAt(known, actor);
    if (line?.status !== 'flagged') throw notFlagged();
    if (!isSettleable(line.code)) {
      throw new AppError(409, 'NOT_SETTLEABLE', 'The ledger cannot settle this difference. Explain it instead.');
    }
    await (line.code === 'NOT_CREDITED' ? this.credit(line, settling) : this.giveBack(line, settling));
    return this.reconciling.lookAgainAt(line, actor);
  }

  /** Credits the payment as its webhook would have. */
  private async credit({ subject, paymentIntentId }: ReconciledLine, settling: Settling): Promise<void> {
    const { adminId, reason, requestId } = settling;
    const reasonId = await this.reasons.write({ adminId, userId: adminId, text: reason });
    const act = { type: 'DifferenceSettledByAdmin', adminId, targetId: subject, subjectId: null, reasonId } as const;
    await this.moderation.record(act, requestId);
    const { kind } = await this.payments.open().settlement.settle(paymentIntentId ?? '', requestId);
    if (kind === 'credited' || kind === 'returned') return;
    throw new AppError(
      409,
      'NOT_PAID',
      kind === 'unpaid'
        ? 'The provider says that this payment was not made. Nothing was credited.'
        : 'The payment is not one that this product asked for. Nothing was credited.',
    );
  }

  /** Gives the member back what the reversal took, and ends the pause of a dispute that was won. */
  private async giveBack(line: ReconciledLine, { adminId, reason, requestId }: Settling): Promise<void> {
    const { event, id, revision } = await this.reversalOf(line);
    const facts = reversedPurchaseFacts(event);
    const { userId, reversalId } = facts;
    if (facts.reason === 'dispute') await this.payments.open().settlement.settleDispute(reversalId, requestId);
    const reasonId = await this.reasons.write({ adminId, userId, text: reason });
    const outcome = await this.ledger.execute({
      command: {
        type: 'ReinstatePurchase',
        ...facts,
        originalId: id,
        originalRevision: revision,
        adminId,
        repaid: await this.repaidOf(reversalId),
      },
      actor: `admin:${adminId}`,
      cause: `${REASON_CAUSE}${reasonId}`,
      correlationId: requestId,
      key: { scope: 'fact', value: reinstatementKey(reversalId) },
    });
    if (outcome.status !== 'accepted' || outcome.repeated) await this.reasons.discard(reasonId);
    // Another admin was first: then there is nothing left to do.
    if (outcome.status !== 'key-reused') eventOf(expectAccepted(outcome), 'PurchaseReinstated');
    await this.store.markReinstated(reversalId);
    await this.readModels.adminsCaughtUp(this.ledger.revision);
  }

  private async reversalOf({ eventId }: ReconciledLine) {
    const found = eventId === null ? undefined : await this.events.byId(eventId);
    if (found?.event.type !== 'PurchaseReversed') throw notFound('The reversal of this purchase');
    const event: FactOf<'PurchaseReversed'> = found.event;
    return { event, id: found.recorded.id, revision: found.recorded.revision };
  }

  /** What the member repaid of the shortfall; while some of it is open, the ledger knows better. */
  private async repaidOf(reversalId: string): Promise<bigint> {
    const { projected } = await this.readModels.adminsCaughtUp(this.ledger.revision, CATCH_UP_MS_MAX);
    if (!projected) throw behind();
    return (await this.readModels.receivables.find(reversalId))?.repaid ?? 0n;
  }
}
