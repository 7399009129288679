import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Appearance, Stripe } from '@stripe/stripe-js';
import { useState, type FormEvent } from 'react';
import { Button, ErrorNote, Skeleton } from '@/shared/ui';
import type { CardFormProps } from './card-form';
import { payWithStripe } from './stripe-payments';

const stripeByKey = new Map<string, Promise<Stripe | null>>();

/** Stripe's script is loaded once for each key. After a failed load, the next form tries again. */
function stripeFor(publishableKey: string): Promise<Stripe | null> {
  const loaded = stripeByKey.get(publishableKey);
  if (loaded !== undefined) return loaded;
  const loading = loadStripe(publishableKey).catch(() => {
    stripeByKey.delete(publishableKey);
    return null;
  });
  stripeByKey.set(publishableKey, loading);
  return loading;
}

/** Stripe's frames cannot read our tokens, so this repeats our surfaces in colours that Stripe understands. */
const APPEARANCE: Appearance = {
  theme: 'night',
  variables: { colorPrimary: '#f5bf4f', borderRadius: '8px', fontFamily: 'Inter, system-ui, sans-serif' },
};

/** Stripe's own card form (rule wallet-13): the card number never reaches this application. */
export default function StripeCardForm(props: CardFormProps) {
  const { setup } = props;
  const [stripe] = useState(() => stripeFor(setup.publishableKey ?? ''));
  return (
    <Elements stripe={stripe} options={{ clientSecret: setup.clientSecret, appearance: APPEARANCE }}>
      <PaymentForm {...props} />
    </Elements>
  );
}

function PaymentForm({ setup, payLabel, isPending, onPay }: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setReady] = useState(false);
  const [hasFailed, setFailed] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (stripe === null || elements === null) return;
    onPay({ pay: () => payWithStripe(stripe, elements, setup) });
  };
  return (
    <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
      {hasFailed && (
        <ErrorNote>The card form could not be loaded. Check your connection and open this dialog again.</ErrorNote>
      )}
      {!isReady && !hasFailed && <Skeleton className="h-64" />}
      <PaymentElement onReady={() => setReady(true)} onLoadError={() => setFailed(true)} />
      <Button type="submit" variant="primary" size="lg" disabled={!isReady} pending={isPending} pendingText="Paying…">
        {payLabel}
      </Button>
    </form>
  );
}
