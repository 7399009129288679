import type { PaymentProvider } from './payment-provider';
import type { PaymentSetup } from './use-top-up';

/** What a purchase needs of a card form, ours or Stripe's. */
export interface CardFormProps {
  setup: PaymentSetup;
  /** The label of the primary action: `Pay $2.00`. */
  payLabel: string;
  isPending: boolean;
  onPay: (provider: PaymentProvider) => void;
}
