import { Logger } from '@nestjs/common';
import { MINOR_UNITS } from '@app/domain';
import type { CommandOutcome, JournalEvent, Ledger } from '@app/ledger';
import type Stripe from 'stripe';
import type { PaymentProvider } from './payment-gateway.js';
import type { Payment, PaymentStore, Reversal } from './payment-store.js';
import { chargeCents } from './pricing.js';
import { disputeKey, purchaseKey, reversalKey } from './settlement-keys.js';

/** The result for a payment that succeeded at the provider. */
export type Settlement =
  | {
      readonly kind: 'credited';
      readonly payment: Payment;
      readonly event: { readonly id: string; readonly revision: number };
      /** Spendable Nova after the credit, in minor units; absent if it had been credited before. */
      readonly balance: bigint | undefined;
    }
  | { readonly kind: 'unpaid'; readonly intent: Stripe.PaymentIntent }
  /** The account was closed in the meantime; the provider was told to refund the payment. */
  | { readonly kind: 'returned' }
  /** Not a payment of this product, or not as requested. */
  | { readonly kind: 'unusable' };

const OPEN_DISPUTE: ReadonlySet<string> = new Set([
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
]);
const WON_DISPUTE: ReadonlySet<string> = new Set(['won', 'prevented']);

/** A dispute may change while it is being applied; it is checked again at most this many times. */
const DISPUTE_LOOKS_MAX = 4;

/**
 * Brings the journal in line with the provider's *current* state, after a confirm call, a webhook or the reconciler, in
 * any order. The ledger's keys make every step happen once (rule wallet-14), so everything may be repeated and run
 * concurrently.
 */
export class PurchaseSettlement {
  private readonly logger = new Logger(PurchaseSettlement.name);

  constructor(
    private readonly gateway: PaymentProvider,
    private readonly store: PaymentStore,
    private readonly ledger: Ledger,
  ) {}

  /**
   * Credits a paid intent, then reverses what was refunded. If the refund arrives before the credit, it does both.
   * @param requestId of the request that led here, if one did
   */
  async settle(paymentIntentId: string, requestId: string | undefined): Promise<Settlement> {
    const intent = await this.gateway.findIntent(paymentIntentId);
    if (!intent) return { kind: 'unusable' };
    const settlement = await this.credit(intent, requestId);
    if (settlement.kind === 'credited') await this.reverseRefunds(paymentIntentId, requestId);
    return settlement;
  }

  /**
   * Only credits a paid intent: the part that the member waits for.
   * @throws LedgerBusy LedgerOutcomeUnknown
   */
  async credit(intent: Stripe.PaymentIntent, requestId: string | undefined): Promise<Settlement> {
    const asked = readMetadata(intent);
    if (!asked) return { kind: 'unusable' };
    if (intent.status !== 'succeeded') return { kind: 'unpaid', intent };
    await this.store.remember(asked);
    if (intent.currency !== 'usd' || intent.amount_received !== asked.chargedCents) {
      this.logger.error(
        `payment ${intent.id} of ${intent.amount_received} ${intent.currency} is not the one that was asked for`,
      );
      await this.store.mark(intent.id, 'unusable');
      return { kind: 'unusable' };
    }
    const outcome = await this.ledger.execute({
      command: {
        type: 'RecordPurchase',
        userId: asked.userId,
        amount: asked.nova,
        paymentIntentId: intent.id,
        chargedCents: asked.chargedCents,
        livemode: asked.livemode,
      },
      actor: 'stripe',
      cause: intent.id,
      correlationId: requestId,
      key: { scope: 'fact', value: purchaseKey(intent.id) },
    });
    if (outcome.status === 'refused' && outcome.rejection.code === 'ACCOUNT_CLOSED') {
      await this.gateway.refundAll(intent.id);
      await this.store.mark(intent.id, 'returned');
      return { kind: 'returned' };
    }
    const event = eventOf(outcome, 'NovaPurchased', intent.id);
    await this.store.markCredited(intent.id, event);
    const balance = outcome.status === 'accepted' ? outcome.balances?.get(asked.userId) : undefined;
    return {
      kind: 'credited',
      payment: { ...asked, state: 'credited', eventId: event.id, eventRevision: event.revision },
      event,
      balance,
    };
  }

  /** Freezes, unfreezes or reverses, as the dispute stands now (rule wallet-18). */
  async settleDispute(disputeId: string, requestId: string | undefined): Promise<void> {
    let applied: string | undefined;
    for (let look = 0; look < DISPUTE_LOOKS_MAX; look++) {
      const dispute = await this.gateway.findDispute(disputeId);
      const paymentIntentId = dispute && idOf(dispute.payment_intent);
      if (!dispute || !paymentIntentId || dispute.status === applied) return;
      const settlement = await this.settle(paymentIntentId, requestId);
      if (settlement.kind !== 'credited') return;
      await this.applyDispute(dispute, settlement.payment, requestId);
      // Another call may have seen a newer state and found nothing to undo yet: look again until nothing changes.
      applied = dispute.status;
    }
  }

  private async applyDispute(
    dispute: Stripe.Dispute,
    { userId, paymentIntentId }: Payment,
    requestId: string | undefined,
  ): Promise<void> {
    // A status in neither set that is not lost, such as an inquiry (`warning_…`), moves no money.
    if (OPEN_DISPUTE.has(dispute.status)) await this.freeze(userId, dispute.id, requestId);
    if (WON_DISPUTE.has(dispute.status)) await this.unfreeze(userId, dispute.id, requestId);
    if (dispute.status !== 'lost') return;
    await this.freeze(userId, dispute.id, requestId);
    const lost = [{ id: dispute.id, cents: dispute.amount, reason: 'dispute' as const }];
    await this.reverse(userId, await this.store.planReversals(paymentIntentId, lost), requestId);
  }

  private async freeze(userId: string, disputeId: string, requestId: string | undefined): Promise<void> {
    const outcome = await this.ledger.execute({
      command: { type: 'FreezeSpending', userId, disputeId },
      actor: 'stripe',
      cause: disputeId,
      correlationId: requestId,
      key: { scope: 'fact', value: disputeKey(disputeId, 'opened') },
    });
    expectDone(outcome, ['ACCOUNT_CLOSED']);
  }

  private async unfreeze(userId: string, disputeId: string, requestId: string | undefined): Promise<void> {
    const outcome = await this.ledger.execute({
      command: { type: 'UnfreezeSpending', userId, disputeId },
      actor: 'stripe',
      cause: disputeId,
      correlationId: requestId,
      key: { scope: 'fact', value: disputeKey(disputeId, 'won') },
    });
    expectDone(outcome, ['ACCOUNT_CLOSED', 'NOT_FROZEN']);
  }

  private async reverseRefunds(paymentIntentId: string, requestId: string | undefined): Promise<void> {
    const refunds = await this.gateway.refundsOf(paymentIntentId);
    const returns = refunds
      .filter((refund) => refund.status === 'succeeded')
      .map((refund) => ({ id: refund.id, cents: refund.amount, reason: 'refund' as const }));
    const payment = await this.store.find(paymentIntentId);
    if (!payment) throw new Error(`payment ${paymentIntentId} has no row`);
    await this.reverse(payment.userId, await this.store.planReversals(paymentIntentId, returns), requestId);
  }

  private async reverse(userId: string, reversals: readonly Reversal[], requestId: string | undefined): Promise<void> {
    for (const reversal of reversals) {
      if (reversal.nova === 0n) {
        await this.store.finishReversal(reversal.reversalId, null);
        continue;
      }
      const outcome = await this.ledger.execute({
        command: {
          type: 'ReversePurchase',
          userId,
          amount: reversal.nova,
          paymentIntentId: reversal.paymentIntentId,
          reversalId: reversal.reversalId,
          reason: reversal.reason,
        },
        actor: 'stripe',
        cause: reversal.paymentIntentId,
        correlationId: requestId,
        key: { scope: 'fact', value: reversalKey(reversal) },
      });
      const event = eventOf(outcome, 'PurchaseReversed', reversal.reversalId);
      await this.store.finishReversal(reversal.reversalId, event.id);
    }
  }
}

/** What we asked for when we made the intent; undefined for an intent that is not ours. */
function readMetadata(intent: Stripe.PaymentIntent): Payment | undefined {
  const { userId, amount } = intent.metadata;
  if (!userId || !amount || !/^[1-9]\d{0,8}$/.test(amount)) return undefined;
  const wholeNova = Number(amount);
  return {
    paymentIntentId: intent.id,
    userId,
    nova: BigInt(wholeNova) * MINOR_UNITS.NOVA,
    chargedCents: chargeCents(wholeNova),
    livemode: intent.livemode,
    state: 'open',
    eventId: null,
    eventRevision: null,
  };
}

const idOf = (reference: string | { readonly id: string } | null): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;

function eventOf(outcome: CommandOutcome, type: JournalEvent['event']['type'], subject: string): JournalEvent {
  const event = outcome.status === 'accepted' ? outcome.events.find((each) => each.event.type === type) : undefined;
  if (event) return event;
  throw new Error(`the ledger did not take ${type} for ${subject}: ${describe(outcome)}`);
}

function expectDone(outcome: CommandOutcome, harmless: readonly string[]): void {
  if (outcome.status === 'accepted') return;
  if (outcome.status === 'refused' && harmless.includes(outcome.rejection.code)) return;
  throw new Error(`the ledger did not take a dispute: ${describe(outcome)}`);
}

const describe = (outcome: CommandOutcome): string =>
  outcome.status === 'refused' ? `${outcome.rejection.code}: ${outcome.rejection.message}` : outcome.status;
