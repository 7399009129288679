import { type FactOf, type LedgerEvent, MINOR_UNITS } from '@app/domain';
import type { Ledger } from '@app/ledger';
import type Stripe from 'stripe';
import { reinstatementKey } from '../../wallet/later-events.js';
import type { PaymentGateway } from '../payment-gateway.js';
import type { PaymentStore } from '../payment-store.js';
import { chargeCents } from '../pricing.js';
import { disputeKey, purchaseKey, reversalKey } from '../settlement-keys.js';
import type { LedgerLine, LedgerLines } from './ledger-lines.js';
import type { ProviderLine } from './provider-lines.js';
import { explained, flagged, matched, type Verdict } from './verdicts.js';

/** The longest time that webhooks, the settlement and its repeats take. */
const IN_TRANSIT_MS = 60 * 60_000;
const MINOR_PER_NOVA = MINOR_UNITS.NOVA;

type FoundEvent = NonNullable<Awaited<ReturnType<LedgerLines['underKey']>>>;

export interface JudgeParts {
  readonly gateway: Pick<PaymentGateway, 'findIntent' | 'findDispute' | 'refundsOf'>;
  readonly payments: Pick<PaymentStore, 'find' | 'findReversal'>;
  readonly events: Pick<LedgerLines, 'underKey'>;
  /** Only asked whether a pause could be made or lifted; nothing is executed. */
  readonly ledger: Pick<Ledger, 'execute'>;
  readonly now?: () => number;
}

/** Judges one line of either side by the other side's records. */
export class LineJudge {
  constructor(private readonly parts: JudgeParts) {}

  async ofProvider(line: ProviderLine): Promise<Verdict> {
    switch (line.kind) {
      case 'payment':
        return this.payment(line);
      case 'refund':
        return this.refund(line);
      case 'refund-failed':
        return this.failedRefund(line);
      case 'dispute':
        return this.dispute(line);
      case 'dispute-won':
        return this.wonBack(line);
      case 'fee':
        return explained('FEE');
      case 'payout':
        return explained('PAYOUT');
      case 'other-currency':
        return flagged('OTHER_CURRENCY');
      case 'other':
        return flagged('UNKNOWN_KIND');
    }
  }

  /** Whether this event counts for the movement: of two events for one payment, at most one has the payment's key. */
  async counts({ id, event }: LedgerLine): Promise<boolean> {
    if (event.cause === 'demo') return true;
    const key = event.type === 'NovaPurchased' ? purchaseKey(event.paymentIntentId) : reversalKey(event);
    const found = await this.parts.events.underKey(key);
    return found === undefined || found.id === id;
  }

  /** Judges an event whose movement is not in the run's time range. */
  async ofLedger(line: LedgerLine): Promise<Verdict> {
    const { id, event } = line;
    if (event.cause === 'demo') return explained('DEMO', id);
    if (!(await this.counts(line))) return flagged('REPEATED', id);
    const isThere = event.type === 'NovaPurchased' ? await this.wasPaid(event) : await this.wasGivenBack(event);
    return isThere ? explained('OTHER_DAY', id) : flagged('NOT_AT_PROVIDER', id);
  }

  private async payment(line: ProviderLine): Promise<Verdict> {
    const intentId = line.paymentIntentId;
    if (intentId === null) return flagged('NOT_OURS');
    const found = await this.parts.events.underKey(purchaseKey(intentId));
    const payment = await this.parts.payments.find(intentId);
    if (found?.event.type === 'NovaPurchased') {
      const { userId, chargedCents } = found.event;
      if (chargedCents !== line.cents || !isPriced(found.event)) return flagged('AMOUNT_DIFFERS', found.id);
      return payment && payment.userId !== userId ? flagged('OTHER_MEMBER', found.id) : matched(found.id);
    }
    if (payment?.state === 'returned') return explained('RETURNED');
    if (payment?.state === 'unusable') return flagged('AMOUNT_DIFFERS');
    if (payment) return this.isFresh(line) ? explained('IN_TRANSIT') : flagged('NOT_CREDITED');
    const intent = await this.parts.gateway.findIntent(intentId);
    if (!intent?.metadata['userId']) return flagged('NOT_OURS');
    return this.isFresh(line) ? explained('IN_TRANSIT') : flagged('NOT_CREDITED');
  }

  private async refund(line: ProviderLine): Promise<Verdict> {
    const verdict = await this.reversal(line, refundKey(line));
    const isOpen = verdict.code === 'IN_TRANSIT' || verdict.code === 'NOT_REVERSED';
    return isOpen && (await this.hasFailed(line)) ? explained('REFUND_FAILED') : verdict;
  }

  /** The money of a failed refund came back to the provider's balance: then the ledger must not keep the Nova. */
  private async failedRefund(line: ProviderLine): Promise<Verdict> {
    const reversed = await this.parts.events.underKey(refundKey(line));
    if (reversed) return this.givenBack(String(line.providerId), reversed.id);
    return (await this.isOwed(line)) ? flagged('NOT_RETURNED') : explained('REFUND_FAILED');
  }

  /** Whether a payment for a closed account has not been refunded at all. */
  private async isOwed({ paymentIntentId }: ProviderLine): Promise<boolean> {
    if (paymentIntentId === null) return false;
    const payment = await this.parts.payments.find(paymentIntentId);
    if (payment?.state !== 'returned') return false;
    return (await this.refundsOf(paymentIntentId)).every(({ status }) => status !== 'succeeded');
  }

  private async hasFailed({ providerId, paymentIntentId }: ProviderLine): Promise<boolean> {
    if (paymentIntentId === null) return false;
    const refund = (await this.refundsOf(paymentIntentId)).find(({ id }) => id === providerId);
    return refund?.status === 'failed' || refund?.status === 'canceled';
  }

  /** Judges the reversal of a refund, or of a lost dispute. */
  private async reversal(line: ProviderLine, key: string): Promise<Verdict> {
    const found = await this.parts.events.underKey(key);
    if (found) return this.compared(line, found);
    const payment = line.paymentIntentId === null ? undefined : await this.parts.payments.find(line.paymentIntentId);
    if (payment?.state === 'returned') return explained('RETURNED');
    const planned = line.providerId === null ? undefined : await this.parts.payments.findReversal(line.providerId);
    // Every cent is worth Nova, so the whole purchase was reversed before.
    if (planned?.nova === 0n) return flagged('AMOUNT_DIFFERS');
    return this.isFresh(line) ? explained('IN_TRANSIT') : flagged('NOT_REVERSED');
  }

  private async dispute(line: ProviderLine): Promise<Verdict> {
    const dispute = line.providerId === null ? undefined : await this.parts.gateway.findDispute(line.providerId);
    if (!dispute) return flagged('UNKNOWN_KIND');
    if (dispute.status === 'lost') return this.reversal(line, disputeKey(dispute.id, 'lost'));
    if (dispute.status === 'won' || dispute.status === 'prevented') {
      const reversed = await this.parts.events.underKey(disputeKey(dispute.id, 'lost'));
      return reversed ? this.compared(line, reversed) : explained('DISPUTE_WON');
    }
    const frozen = await this.parts.events.underKey(disputeKey(dispute.id, 'opened'));
    if (frozen) return explained('DISPUTE_OPEN', frozen.id);
    if (await this.spendsNothing(line, dispute.id)) return explained('DISPUTE_OPEN');
    return this.isFresh(line) ? explained('IN_TRANSIT') : flagged('NOT_FROZEN');
  }

  /** The money of a dispute came back: then the ledger must keep neither the Nova nor the member's pause. */
  private async wonBack(line: ProviderLine): Promise<Verdict> {
    if (line.providerId === null) return flagged('UNKNOWN_KIND');
    const reversed = await this.parts.events.underKey(disputeKey(line.providerId, 'lost'));
    const back = reversed && (await this.givenBack(line.providerId, reversed.id));
    if (back?.status === 'flagged') return back;
    if (await this.isOwed(line)) return this.isFresh(line) ? explained('IN_TRANSIT') : flagged('NOT_RETURNED');
    const frozen = await this.parts.events.underKey(disputeKey(line.providerId, 'opened'));
    if (!frozen || !(await this.isFrozen(frozen.event))) return back ?? explained('DISPUTE_WON');
    return this.isFresh(line) ? explained('IN_TRANSIT') : flagged('NOT_UNFROZEN', frozen.id);
  }

  /** Whether the Nova that a reversal took was given back as well. */
  private async givenBack(reversalId: string, eventId: string): Promise<Verdict> {
    const reinstated = await this.parts.events.underKey(reinstatementKey(reversalId));
    return reinstated ? matched(reinstated.id) : flagged('NOT_GIVEN_BACK', eventId);
  }

  private async isFrozen(event: LedgerEvent): Promise<boolean> {
    if (event.type !== 'SpendingFrozen') return false;
    const { userId, disputeId } = event;
    const command = { type: 'UnfreezeSpending', userId, disputeId } as const;
    return (await this.parts.ledger.execute({ command, actor: 'process', dryRun: true })).status === 'accepted';
  }

  /** Whether the member's account is closed: then nothing is left to pause. */
  private async spendsNothing({ paymentIntentId }: ProviderLine, disputeId: string): Promise<boolean> {
    const payment = paymentIntentId === null ? undefined : await this.parts.payments.find(paymentIntentId);
    if (!payment) return false;
    const command = { type: 'FreezeSpending', userId: payment.userId, disputeId } as const;
    const outcome = await this.parts.ledger.execute({ command, actor: 'process', dryRun: true });
    return outcome.status === 'refused' && outcome.rejection.code === 'ACCOUNT_CLOSED';
  }

  private async compared(line: ProviderLine, { id, event }: FoundEvent): Promise<Verdict> {
    return (await this.isWorth(event, -line.cents)) ? matched(id) : flagged('AMOUNT_DIFFERS', id);
  }

  /** Parts of a charge are rounded so that they add up to the whole: each is off by less than one minor unit. */
  private async isWorth(event: LedgerEvent, cents: number): Promise<boolean> {
    if (event.type !== 'PurchaseReversed') return false;
    const paid = (await this.parts.events.underKey(purchaseKey(event.paymentIntentId)))?.event;
    if (paid?.type !== 'NovaPurchased') return false;
    const charged = BigInt(paid.chargedCents);
    const off = event.amount * charged - paid.amount * BigInt(cents);
    return -charged < off && off < charged;
  }

  private async wasPaid(event: Extract<LedgerEvent, { type: 'NovaPurchased' }>): Promise<boolean> {
    const intent = await this.parts.gateway.findIntent(event.paymentIntentId);
    return intent?.status === 'succeeded' && intent.amount_received === event.chargedCents && isPriced(event);
  }

  private async wasGivenBack(event: Extract<LedgerEvent, { type: 'PurchaseReversed' }>): Promise<boolean> {
    if (event.reason === 'dispute') return (await this.parts.gateway.findDispute(event.reversalId))?.status === 'lost';
    const refunds: readonly Stripe.Refund[] = await this.refundsOf(event.paymentIntentId);
    return refunds.some(({ id, status }) => id === event.reversalId && status === 'succeeded');
  }

  private async refundsOf(paymentIntentId: string): Promise<readonly Stripe.Refund[]> {
    return (await this.parts.gateway.findIntent(paymentIntentId)) ? this.parts.gateway.refundsOf(paymentIntentId) : [];
  }

  /** Whether the line is so recent that its counterpart may still be on its way. */
  private isFresh({ at }: ProviderLine): boolean {
    return (this.parts.now ?? Date.now)() - at.getTime() < IN_TRANSIT_MS;
  }
}

/** Whether a purchase credited the Nova that its charge paid for. */
const isPriced = ({ amount, chargedCents }: FactOf<'NovaPurchased'>): boolean =>
  amount % MINOR_PER_NOVA === 0n && chargeCents(Number(amount / MINOR_PER_NOVA)) === chargedCents;

const refundKey = ({ providerId }: ProviderLine): string =>
  reversalKey({ reversalId: String(providerId), reason: 'refund' });
