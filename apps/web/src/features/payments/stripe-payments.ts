import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { PaymentRefusedError, paymentUnknown } from './payment-provider';
import type { PaymentSetup } from './use-top-up';

/**
 * Confirms a payment with the data in Stripe's form.
 *
 * @throws PaymentRefusedError with Stripe's message; ApiError where the outcome is unknown.
 */
export async function payWithStripe(
  stripe: Pick<Stripe, 'confirmPayment' | 'retrievePaymentIntent'>,
  elements: StripeElements,
  setup: PaymentSetup,
): Promise<void> {
  const { error, paymentIntent } = await stripe.confirmPayment({ elements, redirect: 'if_required' });
  if (error === undefined && paymentIntent.status === 'succeeded') return;
  // After a lost answer, or a second attempt at a payment that had succeeded: ask Stripe for the outcome.
  const { paymentIntent: current } = await stripe.retrievePaymentIntent(setup.clientSecret);
  if (current?.status === 'succeeded') return;
  if (current === undefined || current.status === 'processing') throw paymentUnknown();
  throw new PaymentRefusedError(error?.message ?? 'The payment was not completed.');
}
