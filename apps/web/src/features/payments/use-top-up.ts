import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiError, NO_ANSWER, refreshMoney, useActionKey, type Schemas } from '@/shared/api';
import type { PaymentProvider } from './payment-provider';

export type PaymentSetup = Schemas['PaymentIntentDto'];

/** The server could not set up the payment: nothing was charged. */
export function paymentSetupSentence(error: unknown): string {
  if (error instanceof ApiError && error.status !== NO_ANSWER) return `Payment setup failed: ${error.status}`;
  return 'Failed to initialize payment';
}

/** The card was charged, but the server has not yet confirmed that the Nova arrived. */
export class PurchaseUnconfirmedError extends Error {
  override readonly name = 'PurchaseUnconfirmedError';
  constructor(override readonly cause: unknown) {
    super('The payment went through, but the purchase was not confirmed.');
  }
}

/**
 * The purchase (rule wallet-13): sets up a payment, lets the provider charge the card without a redirect, and confirms
 * with the server. A step that succeeded is never repeated: after a lost answer, a retry continues where the purchase
 * stands.
 */
export function useTopUp() {
  const client = useQueryClient();
  const setupKey = useActionKey();
  const confirmKey = useActionKey();
  const [setup, setSetup] = useState<PaymentSetup | null>(null);
  const [isCharged, setCharged] = useState(false);

  const prepare = useMutation({
    mutationFn: (amount: number) =>
      api.post('/api/nova/create-payment-intent', {
        body: { amount },
        idempotencyKey: setupKey.keyFor({ amount }),
      }),
    onSuccess: setSetup,
  });

  const purchase = useMutation({
    async mutationFn({ setup: { paymentIntentId }, provider }: { setup: PaymentSetup; provider: PaymentProvider }) {
      if (!isCharged) {
        await provider.pay();
        setCharged(true);
      }
      try {
        return await api.post('/api/nova/confirm-purchase', {
          body: { paymentIntentId },
          idempotencyKey: confirmKey.keyFor({ paymentIntentId }),
        });
      } catch (error) {
        throw new PurchaseUnconfirmedError(error);
      }
    },
    onSuccess(confirmed) {
      setupKey.done();
      confirmKey.done();
      refreshMoney(client, confirmed);
    },
  });

  /** Goes back to choosing an amount. The abandoned payment was never charged. */
  const startOver = () => {
    setupKey.done();
    setSetup(null);
    prepare.reset();
    purchase.reset();
  };

  return { setup, isCharged, prepare, purchase, startOver };
}
