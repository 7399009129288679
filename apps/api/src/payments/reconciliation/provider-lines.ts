import type Stripe from 'stripe';

/** The kinds of movements of the provider's balance, by our names. */
export const LINE_KINDS = [
  'payment',
  'refund',
  'refund-failed',
  'dispute',
  'dispute-won',
  'fee',
  'payout',
  'other-currency',
  'other',
] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** One movement of the provider's balance. Amounts are US cents: positive comes in; 0 for another currency. */
export interface ProviderLine {
  /** The balance transaction's id. */
  readonly subject: string;
  readonly kind: LineKind;
  /** The id of the payment, refund or dispute behind it. */
  readonly providerId: string | null;
  readonly paymentIntentId: string | null;
  readonly cents: number;
  readonly feeCents: number;
  readonly at: Date;
}

const FEES: ReadonlySet<string> = new Set(['fee', 'network_cost', 'tax', 'fee_credit', 'climate_order_purchase']);

/** A balance transaction with its source expanded. */
export function toProviderLine(movement: Stripe.BalanceTransaction): ProviderLine {
  const kind = kindOf(movement);
  const isDollars = kind !== 'other-currency';
  const source = typeof movement.source === 'string' ? { id: movement.source } : movement.source;
  const intent = source && 'payment_intent' in source ? source.payment_intent : null;
  // A dispute is identified by its own id; Stripe's `source` is the dispute.
  return {
    subject: movement.id,
    kind,
    providerId: source?.id ?? null,
    paymentIntentId: typeof intent === 'string' ? intent : (intent?.id ?? null),
    // Stripe's own charges are amounts, not fees of another movement.
    cents: isDollars ? movement.amount : 0,
    feeCents: isDollars ? movement.fee : 0,
    at: new Date(movement.created * 1_000),
  };
}

function kindOf({ currency, reporting_category: category, type }: Stripe.BalanceTransaction): LineKind {
  if (currency !== 'usd') return 'other-currency';
  if (category === 'charge') return 'payment';
  if (category === 'refund') return 'refund';
  if (category === 'refund_failure') return 'refund-failed';
  if (category === 'dispute') return 'dispute';
  if (category === 'dispute_reversal') return 'dispute-won';
  if (FEES.has(category) || type === 'stripe_fee') return 'fee';
  if (category.startsWith('payout')) return 'payout';
  return 'other';
}
