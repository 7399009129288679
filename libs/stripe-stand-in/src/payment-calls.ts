import { randomBytes } from 'node:crypto';
import { ofCharge, ofDispute, ofRefund } from './balance-transactions.js';
import { nowSeconds, type SandboxAnswer, sandboxId, type SandboxObjects } from './store.js';
import { formAmount, formMap, formText, type StripeForm } from './stripe-form.js';
import {
  impossible,
  invalidRequest,
  noSuch,
  type SandboxCardError,
  type SandboxCharge,
  type SandboxDispute,
  type SandboxPaymentIntent,
  type SandboxRefund,
} from './stripe-objects.js';
import { testCard, type TestCardOutcome } from './test-cards.js';

/**
 * The least that Stripe charges, in cents. The stand-in has the same limit, so that nothing passes here and fails
 * there.
 */
const AMOUNT_CENTS_MIN = 50;
const AMOUNT_CENTS_MAX = 99_999_999;

const ok = (body: object): SandboxAnswer => ({ status: 200, body });

/** `POST /v1/payment_intents` */
export async function createPaymentIntent(objects: SandboxObjects, form: StripeForm): Promise<SandboxAnswer> {
  const amount = formAmount(form, 'amount');
  if (amount === undefined)
    throw invalidRequest('Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' });
  if (amount < AMOUNT_CENTS_MIN) {
    throw invalidRequest('Amount must be at least $0.50 usd', { param: 'amount', code: 'amount_too_small' });
  }
  if (amount > AMOUNT_CENTS_MAX) {
    throw invalidRequest('Amount must be no more than $999,999.99', { param: 'amount', code: 'amount_too_large' });
  }
  const currency = formText(form, 'currency');
  if (currency !== 'usd') throw invalidRequest('The sandbox takes usd only.', { param: 'currency' });
  const id = sandboxId('pi');
  const intent: SandboxPaymentIntent = {
    id,
    object: 'payment_intent',
    amount,
    amount_received: 0,
    currency,
    status: 'requires_payment_method',
    client_secret: `${id}_secret_${randomBytes(16).toString('hex')}`,
    created: nowSeconds(),
    livemode: false,
    metadata: formMap(form, 'metadata'),
    description: formText(form, 'description') ?? null,
    latest_charge: null,
    payment_method: null,
    payment_method_types: ['card'],
    last_payment_error: null,
    canceled_at: null,
  };
  await objects.insert(intent);
  await objects.emit('payment_intent.created', intent);
  return ok(intent);
}

/** `POST /v1/payment_intents/{id}/confirm`; the caller has shown the client secret or the API key. */
export async function confirmPaymentIntent(
  objects: SandboxObjects,
  id: string,
  form: StripeForm,
): Promise<SandboxAnswer> {
  const intent = await objects.take('payment_intent', id);
  if (!intent) throw noSuch('payment_intent', id);
  const method = formText(form, 'payment_method');
  const card = method === undefined ? undefined : testCard(method);
  if (method === undefined || card === undefined) throw noSuch('PaymentMethod', method ?? '');
  if (intent.status !== 'requires_payment_method') {
    throw invalidRequest(
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action, requires_payment_method.`,
      { code: 'payment_intent_unexpected_state' },
    );
  }
  return card.kind === 'declined'
    ? decline(objects, intent, card)
    : charge(objects, { ...intent, payment_method: method }, card);
}

/** `POST /v1/payment_intents/{id}/cancel` */
export async function cancelPaymentIntent(objects: SandboxObjects, id: string): Promise<SandboxAnswer> {
  const intent = await objects.take('payment_intent', id);
  if (!intent) throw noSuch('payment_intent', id);
  if (intent.status !== 'requires_payment_method') {
    throw invalidRequest(`You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`, {
      code: 'payment_intent_unexpected_state',
    });
  }
  const canceled: SandboxPaymentIntent = { ...intent, status: 'canceled', canceled_at: nowSeconds() };
  await objects.update(canceled);
  await objects.emit('payment_intent.canceled', canceled);
  return ok(canceled);
}

/** `POST /v1/refunds`: refunds everything that is left, or `amount` of it. */
export async function createRefund(objects: SandboxObjects, form: StripeForm): Promise<SandboxAnswer> {
  const intentId = formText(form, 'payment_intent') ?? '';
  const intent = await objects.take('payment_intent', intentId);
  if (!intent) throw noSuch('payment_intent', intentId);
  const paid = intent.latest_charge === null ? undefined : await objects.take('charge', intent.latest_charge);
  if (!paid) throw invalidRequest('This PaymentIntent does not have a successful charge to refund.');
  if (paid.disputed && (await objects.disputeOf(intent.id))?.status !== 'won') {
    throw impossible('This charge has been charged back and cannot be refunded.', 'charge_disputed');
  }
  const left = paid.amount - paid.amount_refunded;
  if (left === 0) throw impossible(`Charge ${paid.id} has already been refunded.`, 'charge_already_refunded');
  const amount = form['amount'] === undefined ? left : formAmount(form, 'amount');
  if (amount === undefined)
    throw invalidRequest('Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' });
  if (amount > left) {
    throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    });
  }
  const refund: SandboxRefund = {
    id: sandboxId('re'),
    object: 'refund',
    amount,
    currency: paid.currency,
    charge: paid.id,
    payment_intent: intent.id,
    created: nowSeconds(),
    metadata: formMap(form, 'metadata'),
    reason: formText(form, 'reason') ?? null,
    status: 'succeeded',
  };
  const refunded: SandboxCharge = {
    ...paid,
    amount_refunded: paid.amount_refunded + amount,
    refunded: amount === left,
  };
  await objects.insert(refund);
  await objects.insert(ofRefund(refund));
  await objects.update(refunded);
  await objects.emit('refund.created', refund);
  await objects.emit('charge.refunded', refunded);
  return ok(refund);
}

/**
 * `POST /v1/disputes/{id}` with `evidence[uncategorized_text]` of `winning_evidence` or `losing_evidence`, Stripe's own
 * test values, and `POST /v1/disputes/{id}/close`, which accepts the loss.
 */
export async function closeDispute(
  objects: SandboxObjects,
  id: string,
  outcome: 'won' | 'lost',
): Promise<SandboxAnswer> {
  const dispute = await objects.take('dispute', id);
  if (!dispute) throw noSuch('dispute', id);
  const inquiry = dispute.status === 'warning_needs_response';
  if (!inquiry && dispute.status !== 'needs_response') throw invalidRequest('This dispute is already closed.');
  const closed: SandboxDispute = { ...dispute, status: inquiry ? 'warning_closed' : outcome };
  await objects.update(closed);
  if (closed.status === 'won') {
    await objects.insert(ofDispute(closed, 'reinstated'));
    await objects.emit('charge.dispute.funds_reinstated', closed);
  }
  await objects.emit('charge.dispute.closed', closed);
  return ok(closed);
}

/** Stripe's test values for evidence. */
export function evidenceOutcome(form: StripeForm): 'won' | 'lost' {
  const text = formMap(form, 'evidence')['uncategorized_text'];
  if (text === 'winning_evidence') return 'won';
  if (text === 'losing_evidence') return 'lost';
  throw invalidRequest('The sandbox decides by evidence[uncategorized_text]: winning_evidence or losing_evidence.', {
    param: 'evidence',
  });
}

async function decline(
  objects: SandboxObjects,
  intent: SandboxPaymentIntent,
  card: Extract<TestCardOutcome, { kind: 'declined' }>,
): Promise<SandboxAnswer> {
  const error: SandboxCardError = {
    type: 'card_error',
    code: card.code,
    ...(card.declineCode === null ? {} : { decline_code: card.declineCode }),
    message: card.message,
  };
  const declined: SandboxPaymentIntent = { ...intent, last_payment_error: error };
  await objects.update(declined);
  await objects.emit('payment_intent.payment_failed', declined);
  return { status: 402, body: { error: { ...error, payment_intent: declined } } };
}

async function charge(
  objects: SandboxObjects,
  intent: SandboxPaymentIntent,
  card: Extract<TestCardOutcome, { kind: 'succeeds' }>,
): Promise<SandboxAnswer> {
  const paid: SandboxCharge = {
    id: sandboxId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    currency: intent.currency,
    payment_intent: intent.id,
    created: nowSeconds(),
    livemode: false,
    metadata: intent.metadata,
    paid: true,
    refunded: false,
    disputed: card.dispute !== undefined && !card.dispute.inquiry,
    status: 'succeeded',
  };
  const succeeded: SandboxPaymentIntent = {
    ...intent,
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: paid.id,
    last_payment_error: null,
  };
  await objects.insert(paid);
  await objects.insert(ofCharge(paid));
  await objects.update(succeeded);
  await objects.emit('charge.succeeded', paid);
  await objects.emit('payment_intent.succeeded', succeeded);
  if (card.dispute) await openDispute(objects, paid, card.dispute);
  return ok(succeeded);
}

async function openDispute(
  objects: SandboxObjects,
  paid: SandboxCharge,
  { reason, inquiry }: { readonly reason: string; readonly inquiry: boolean },
): Promise<void> {
  const opened: SandboxDispute = {
    id: sandboxId('dp'),
    object: 'dispute',
    amount: paid.amount,
    currency: paid.currency,
    charge: paid.id,
    payment_intent: paid.payment_intent,
    created: nowSeconds(),
    livemode: false,
    metadata: {},
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
  await objects.insert(opened);
  await objects.emit('charge.dispute.created', opened);
  if (inquiry) return;
  await objects.insert(ofDispute(opened, 'withdrawn'));
  await objects.emit('charge.dispute.funds_withdrawn', opened);
}
