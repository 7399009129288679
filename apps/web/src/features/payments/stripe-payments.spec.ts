import { expect, test } from '@jest/globals';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { isOutcomeUnknown } from '@/shared/api';
import { PaymentRefusedError } from './payment-provider';
import { payWithStripe } from './stripe-payments';
import type { PaymentSetup } from './use-top-up';

const connectionError = { error: { type: 'api_connection_error', message: 'We are experiencing issues.' } };
const declined = { error: { type: 'card_error', message: 'Your card was declined.' } };
const intent = (status: string) => ({ paymentIntent: { status } });

/** The outcome of a payment, given Stripe's answers to confirming and to retrieving it. */
async function outcome(confirmed: object, retrieved: object): Promise<unknown> {
  const stripe = {
    confirmPayment: () => Promise.resolve(confirmed),
    retrievePaymentIntent: () => Promise.resolve(retrieved),
  } as unknown as Stripe;
  return payWithStripe(stripe, {} as StripeElements, {} as PaymentSetup).then(
    () => 'paid',
    (error: unknown) => error,
  );
}

test('is paid when Stripe says so, also only when asked for it', async () => {
  expect(await outcome(intent('succeeded'), connectionError)).toBe('paid');
  expect(await outcome(connectionError, intent('succeeded'))).toBe('paid');
});

test('is refused with Stripe’s words when it was not charged', async () => {
  const error = await outcome(declined, intent('requires_payment_method'));
  expect(error).toBeInstanceOf(PaymentRefusedError);
  expect(error).toMatchObject({ message: 'Your card was declined.' });
});

test.each([connectionError, intent('processing')])('is unknown when Stripe cannot tell: %j', async (retrieved) => {
  expect(isOutcomeUnknown(await outcome(connectionError, retrieved))).toBe(true);
});
