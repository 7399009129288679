import type { LedgerEvent } from '@app/domain';
import type Stripe from 'stripe';
import type { PaymentGateway } from '../payment-gateway.js';
import type { PaymentStore } from '../payment-store.js';
import type { LedgerLine, LedgerLines } from './ledger-lines.js';
import type { ProviderLine } from './provider-lines.js';
import { explained, flagged, matched, type Verdict } from './verdicts.js';

/** Webhooks, the settlement and its repeats take this long at most. */
const IN_TRANSIT_MS = 60 * 60_000;

/** Finds out for one line of either side what the other side says about it. */
export class LineJudge {
  constructor(
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentStore,
    private readonly ledger: LedgerLines,
    private readonly now: () => number = Date.now,
  ) {}

  async ofProvider(line: ProviderLine): Promise<Verdict> {
    switch (line.kind) {
      case 'payment':
        return this.payment(line);
      case 'refund':
        return this.reversal(line, `stripe:refund:${line.providerId}`);
      case 'dispute':
        return this.dispute(line);
      case 'dispute-won':
        return explained('DISPUTE_WON');
      case 'fee':
        return explained('FEE');
      case 'payout':
        return explained('PAYOUT');
      case 'other':
        return flagged('UNKNOWN_KIND');
    }
  }

  /** An event whose movement was not among those that were looked at. */
  async ofLedger({ id, event }: LedgerLine): Promise<Verdict> {
    if (event.cause === 'demo') return explained('DEMO', id);
    const isThere = event.type === 'NovaPurchased' ? await this.wasPaid(event) : await this.wasGivenBack(event);
    return isThere ? explained('OTHER_DAY', id) : flagged('NOT_AT_PROVIDER', id);
  }

  private async payment(line: ProviderLine): Promise<Verdict> {
    const intentId = line.paymentIntentId;
    if (intentId === null) return flagged('NOT_OURS');
    const found = await this.ledger.underKey(`stripe:${intentId}`);
    if (found?.event.type === 'NovaPurchased') {
      return found.event.chargedCents === line.cents ? matched(found.id) : flagged('AMOUNT_DIFFERS', found.id);
    }
    const payment = await this.payments.find(intentId);
    if (payment?.state === 'returned') return explained('RETURNED');
    if (payment?.state === 'unusable') return flagged('AMOUNT_DIFFERS');
    if (payment) return this.isFresh(line) ? explained('IN_TRANSIT') : flagged('NOT_CREDITED');
    const intent = await this.gateway.findIntent(intentId);
    if (!intent?.metadata['userId']) return flagged('NOT_OURS');
    return this.isFresh(line) ? explained('IN_TRANSIT') : flagged('NOT_CREDITED');
  }

  /** Of a refund, or of a dispute that was lost. */
  private async reversal(line: ProviderLine, key: string): Promise<Verdict> {
    const found = await this.ledger.underKey(key);
    if (found) return matched(found.id);
    const payment = line.paymentIntentId === null ? undefined : await this.payments.find(line.paymentIntentId);
    if (payment?.state === 'returned') return explained('RETURNED');
    const planned = line.providerId === null ? undefined : await this.payments.findReversal(line.providerId);
    if (planned?.state === 'refused') return flagged('REVERSAL_REFUSED');
    if (planned?.nova === 0n) return explained('ROUNDING');
    return this.isFresh(line) ? explained('IN_TRANSIT') : flagged('NOT_REVERSED');
  }

  private async dispute(line: ProviderLine): Promise<Verdict> {
    const dispute = line.providerId === null ? undefined : await this.gateway.findDispute(line.providerId);
    if (!dispute) return flagged('UNKNOWN_KIND');
    if (dispute.status === 'won' || dispute.status === 'prevented') return explained('DISPUTE_WON');
    const key = `stripe:dispute:${dispute.id}`;
    if (dispute.status === 'lost') return this.reversal(line, `${key}:lost`);
    const frozen = await this.ledger.underKey(`${key}:opened`);
    if (frozen) return explained('DISPUTE_OPEN', frozen.id);
    return this.isFresh(line) ? explained('IN_TRANSIT') : flagged('NOT_FROZEN');
  }

  private async wasPaid(event: Extract<LedgerEvent, { type: 'NovaPurchased' }>): Promise<boolean> {
    const intent = await this.gateway.findIntent(event.paymentIntentId);
    return intent?.status === 'succeeded' && intent.amount_received === event.chargedCents;
  }

  private async wasGivenBack(event: Extract<LedgerEvent, { type: 'PurchaseReversed' }>): Promise<boolean> {
    if (event.reason === 'dispute') return (await this.gateway.findDispute(event.reversalId))?.status === 'lost';
    const refunds: readonly Stripe.Refund[] = await this.refundsOf(event.paymentIntentId);
    return refunds.some(({ id, status }) => id === event.reversalId && status === 'succeeded');
  }

  private async refundsOf(paymentIntentId: string): Promise<readonly Stripe.Refund[]> {
    return (await this.gateway.findIntent(paymentIntentId)) ? this.gateway.refundsOf(paymentIntentId) : [];
  }

  /** Unmatched for so short a time that it may well be on its way. */
  private isFresh({ at }: ProviderLine): boolean {
    return this.now() - at.getTime() < IN_TRANSIT_MS;
  }
}
