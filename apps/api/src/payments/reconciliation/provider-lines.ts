import type { MovementKind } from '@app/domain';
import type Stripe from 'stripe';
import type { OpenBetween } from '../../finance/general-ledger/explanations.js';
import type { ToldMovement } from '../../finance/general-ledger/provider-movements.js';

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

/** Where the dollar books have a line's difference open (`provider-rules.ts`); undefined where they keep no subject. */
export function openBetween({ kind, subject, providerId, paymentIntentId }: ProviderLine): OpenBetween | undefined {
  switch (kind) {
    case 'payment':
    case 'refund':
    case 'refund-failed':
      return { account: 'assets:provider:clearing', subject: paymentIntentId ?? subject };
    case 'dispute':
    case 'dispute-won':
      return { account: 'assets:provider:disputes', subject: providerId ?? subject };
    case 'other':
    case 'other-currency':
      return { account: 'assets:provider:clearing', subject };
    case 'fee':
    case 'payout':
      return undefined;
  }
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

/** A balance transaction with its source expanded, for the dollar books. */
export function toMovement(movement: Stripe.BalanceTransaction, livemode: boolean): ToldMovement {
  const { providerId, paymentIntentId } = toProviderLine(movement);
  const { id, currency, amount, fee, created, source } = movement;
  const arrival = source && typeof source === 'object' && source.object === 'payout' ? source.arrival_date : undefined;
  return {
    movementId: id,
    kind: movementKindOf(movement),
    currency,
    amount,
    fee,
    providerId,
    paymentIntentId,
    livemode,
    createdAt: created * 1_000,
    arrivesAt: arrival === undefined ? null : arrival * 1_000,
  };
}

function movementKindOf(movement: Stripe.BalanceTransaction): MovementKind {
  const { reporting_category: category } = movement;
  if (category === 'topup' || category === 'topup_reversal') return 'top-up';
  if (category === 'payout_reversal') return 'payout-returned';
  // The kind of a movement in another currency is its own.
  const kind = kindOf({ ...movement, currency: 'usd' });
  return kind === 'other-currency' ? 'other' : kind;
}
