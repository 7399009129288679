import { ApiError, apiFetch, isOutcomeUnknown } from '@/shared/api';
import { PaymentRefusedError, paymentUnknown } from './payment-provider';
import type { PaymentSetup } from './use-top-up';

const INTENTS = '/sandbox/stripe/v1/payment_intents';
/** Stripe's code for confirming a payment that needs no more confirmation. */
const ALREADY_DECIDED = 'payment_intent_unexpected_state';

/**
 * Stripe's test cards, each with the payment method that stands for it. Only the payment method's name is ever sent:
 * the typed text stays in the browser, so a real card number cannot leave it.
 */
const TEST_CARDS: Readonly<Record<string, string>> = {
  '4242424242424242': 'pm_card_visa',
  '4000056655665556': 'pm_card_visa_debit',
  '5555555555554444': 'pm_card_mastercard',
  '378282246310005': 'pm_card_amex',
  '6011111111111117': 'pm_card_discover',
  '4000000000000002': 'pm_card_visa_chargeDeclined',
  '4000000000009995': 'pm_card_visa_chargeDeclinedInsufficientFunds',
  '4000000000009987': 'pm_card_visa_chargeDeclinedLostCard',
  '4000000000009979': 'pm_card_visa_chargeDeclinedStolenCard',
  '4000000000000069': 'pm_card_chargeDeclinedExpiredCard',
  '4000000000000127': 'pm_card_chargeDeclinedIncorrectCvc',
  '4000000000000119': 'pm_card_chargeDeclinedProcessingError',
  '4000000000000259': 'pm_card_createDispute',
};

/** The payment method of a test card; undefined for every other number. */
export const testPaymentMethod = (cardNumber: string): string | undefined => TEST_CARDS[cardNumber];

interface StripeIntent {
  status: string;
}

/**
 * Confirms a payment at the local stand-in for Stripe, with Stripe's own form encoding.
 *
 * @throws PaymentRefusedError with the stand-in's message, which is Stripe's; ApiError where the outcome is unknown.
 */
export async function paySandbox(setup: PaymentSetup, paymentMethod: string): Promise<void> {
  const body = new URLSearchParams({ payment_method: paymentMethod, client_secret: setup.clientSecret });
  try {
    const path = `${INTENTS}/${encodeURIComponent(setup.paymentIntentId)}/confirm`;
    const intent = await apiFetch<StripeIntent>(path, { method: 'POST', body });
    if (intent.status !== 'succeeded') throw new PaymentRefusedError('The payment was not completed.');
  } catch (error) {
    if (await hadSucceeded(setup, error)) return;
    throw refusal(error);
  }
}

/** After a lost answer, or if the intent was already decided: asks for the outcome instead of charging again. */
async function hadSucceeded(setup: PaymentSetup, error: unknown): Promise<boolean> {
  if (!isOutcomeUnknown(error) && stripeError(error).code !== ALREADY_DECIDED) return false;
  try {
    const query = new URLSearchParams({ client_secret: setup.clientSecret });
    const intent = await apiFetch<StripeIntent>(`${INTENTS}/${encodeURIComponent(setup.paymentIntentId)}?${query}`);
    return intent.status === 'succeeded';
  } catch {
    // Still unreachable: the next attempt asks again.
    throw paymentUnknown();
  }
}

function refusal(error: unknown): unknown {
  const { message } = stripeError(error);
  return message === undefined ? error : new PaymentRefusedError(message);
}

/** Stripe's error body: `{ error: { message, code } }`. */
function stripeError(error: unknown): { message?: string; code?: string } {
  if (!(error instanceof ApiError)) return {};
  const { body } = error;
  if (typeof body !== 'object' || body === null || !('error' in body)) return {};
  const inner = body.error;
  if (typeof inner !== 'object' || inner === null) return {};
  return {
    ...('message' in inner && typeof inner.message === 'string' ? { message: inner.message } : {}),
    ...('code' in inner && typeof inner.code === 'string' ? { code: inner.code } : {}),
  };
}
