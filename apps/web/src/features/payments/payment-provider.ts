import { ApiError, NO_ANSWER } from '@/shared/api';

/** The card was refused or the provider failed: nothing was charged. The message is the provider's (rule wallet-15). */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError';
}

/** It is unknown whether the card was charged: paying again settles it, and charges once. */
export const paymentUnknown = (): ApiError => new ApiError(NO_ANSWER, '', 'no answer');

/** What every card form offers: settles the payment once, however often it is called. */
export interface PaymentProvider {
  /**
   * Charges the card for a payment intent. Resolves once the payment has succeeded, even if an earlier attempt whose
   * answer was lost had already succeeded.
   *
   * @throws PaymentRefusedError with the provider's message; ApiError without an answer where the outcome is unknown.
   */
  pay: () => Promise<void>;
}
