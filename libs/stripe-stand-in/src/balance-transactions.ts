import { nowSeconds, sandboxId } from './store.js';
import { formMap, formText, type StripeForm } from './stripe-form.js';
import {
  invalidRequest,
  type SandboxBalanceTransaction,
  type SandboxCharge,
  type SandboxDispute,
  type SandboxRefund,
} from './stripe-objects.js';

/** Stripe's price of a card payment in the United States, and of a dispute. */
const FEE_PER_MILLE = 29;
const FEE_CENTS = 30;
const DISPUTE_FEE_CENTS = 1_500;
/** Stripe holds the money of a card payment for two days. */
const AVAILABLE_AFTER_SECONDS = 2 * 86_400;

type Source = SandboxCharge | SandboxRefund | SandboxDispute;
type Kind = Pick<SandboxBalanceTransaction, 'type' | 'reporting_category'>;

function transaction(source: Source, { type, reporting_category }: Kind, amount: number, fee: number) {
  const created = nowSeconds();
  const movement: SandboxBalanceTransaction = {
    id: sandboxId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: created + AVAILABLE_AFTER_SECONDS,
    balance_type: 'payments',
    created,
    currency: source.currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0 ? [] : [{ amount: fee, application: null, currency: 'usd', description: null, type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category,
    source: source.id,
    status: 'pending',
    type,
    payment_intent: source.payment_intent,
  };
  return movement;
}

/** The movement that a payment makes on the balance. */
export const ofCharge = (charge: SandboxCharge): SandboxBalanceTransaction =>
  transaction(
    charge,
    { type: 'charge', reporting_category: 'charge' },
    charge.amount,
    Math.round((charge.amount * FEE_PER_MILLE) / 1_000) + FEE_CENTS,
  );

/** A refund gives back the amount; Stripe keeps the fee of the payment. */
export const ofRefund = (refund: SandboxRefund): SandboxBalanceTransaction =>
  transaction(refund, { type: 'refund', reporting_category: 'refund' }, -refund.amount, 0);

/** The disputed amount leaves the balance when the dispute opens, and comes back when it is won. */
export const ofDispute = (dispute: SandboxDispute, what: 'withdrawn' | 'reinstated'): SandboxBalanceTransaction =>
  what === 'withdrawn'
    ? transaction(dispute, { type: 'adjustment', reporting_category: 'dispute' }, -dispute.amount, DISPUTE_FEE_CENTS)
    : transaction(dispute, { type: 'adjustment', reporting_category: 'dispute_reversal' }, dispute.amount, 0);

export interface BalanceQuery {
  /** Unix seconds: at or after, before. */
  readonly from: number;
  readonly until: number;
  readonly startingAfter: string | undefined;
  readonly limit: number;
  /** `expand[]=data.source`: the object behind each, instead of its id. */
  readonly expandSource: boolean;
}

const SECONDS_MAX = 10 ** 11;

/** `GET /v1/balance_transactions` with `created[gte]`, `created[lt]`, `limit`, `starting_after` and `expand[]=data.source`. */
export function readBalanceQuery(form: StripeForm, limit: number): BalanceQuery {
  const created = formMap(form, 'created');
  return {
    from: seconds(created, 'gte') ?? 0,
    until: seconds(created, 'lt') ?? SECONDS_MAX,
    startingAfter: formText(form, 'starting_after'),
    limit,
    expandSource: Object.values(formMap(form, 'expand')).includes('data.source'),
  };
}

function seconds(created: Readonly<Record<string, string>>, name: string): number | undefined {
  const text = created[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,11}$/.test(text)) throw invalidRequest('Invalid integer', { param: `created[${name}]` });
  return Number(text);
}
