import { CircleCheck } from 'lucide-react';
import { lazy } from 'react';
import { errorSentence, formatUsdCents, isOutcomeUnknown, sayAmount } from '@/shared/api';
import { Amount, Badge, Button, ErrorNote, failureToast, PartBoundary, Skeleton, StayOpen } from '@/shared/ui';
import { PaymentRefusedError, type PaymentProvider } from './payment-provider';
import { SandboxCardForm } from './sandbox-card-form';
import { TopUpAmountForm } from './top-up-amount-form';
import { paymentSetupSentence, PurchaseUnconfirmedError, useTopUp, type PaymentSetup } from './use-top-up';

// Stripe's code is fetched only where Stripe is on.
const StripeCardForm = lazy(() => import('./stripe-card-form'));

/** Amount, card, done: the three steps of a top-up (rule wallet-13). */
export function TopUpFlow({ onDone }: { onDone: () => void }) {
  const { setup, isCharged, prepare, purchase, startOver } = useTopUp();

  if (purchase.data !== undefined) return <Arrived {...purchase.data} onDone={onDone} />;
  if (setup === null) {
    return (
      <>
        <StayOpen while={prepare.isPending} />
        <TopUpAmountForm
          isPending={prepare.isPending}
          failure={prepare.error === null ? null : setupFailure(prepare.error)}
          onSubmit={(amount) =>
            prepare.mutate(amount, {
              onError: (error) => failureToast('Payment Setup Failed', paymentSetupSentence(error)),
            })
          }
        />
      </>
    );
  }

  const pay = (provider: PaymentProvider) =>
    purchase.mutate(
      { setup, provider },
      { onError: (error) => failureToast(purchaseFailureTitle(error), purchaseFailure(error)) },
    );
  // The abandoned payment must not be one that may have been charged.
  const canChange = !purchase.isPending && !isCharged && !isOutcomeUnknown(purchase.error);
  const payLabel = `Pay ${formatUsdCents(setup.chargedCents)}`;
  const CardForm = setup.sandbox || setup.publishableKey === null ? SandboxCardForm : StripeCardForm;
  return (
    <div className="grid grid-cols-1 gap-4">
      <StayOpen while={purchase.isPending} />
      <Summary setup={setup} canChange={canChange} onChange={startOver} />
      {purchase.error !== null && !purchase.isPending && (
        <ErrorNote>
          {purchaseFailure(purchase.error)}
          {purchaseAdvice(purchase.error)}
        </ErrorNote>
      )}
      {isCharged ? (
        <Button variant="primary" size="lg" pending={purchase.isPending} onClick={() => pay(ALREADY_PAID)}>
          Finish buying {sayAmount(setup.amount)}
        </Button>
      ) : (
        <PartBoundary
          skeleton={<Skeleton className="h-64" />}
          failure="The card form could not be loaded. Nothing was charged."
        >
          <CardForm setup={setup} payLabel={payLabel} isPending={purchase.isPending} onPay={pay} />
        </PartBoundary>
      )}
    </div>
  );
}

/** For finishing a purchase whose card payment is through: there is nothing left to pay. */
const ALREADY_PAID: PaymentProvider = { pay: () => Promise.resolve() };

/** Beside the form: a short text, and the server's own sentence where there is one. */
function setupFailure(error: unknown): string {
  const short = paymentSetupSentence(error);
  const sentence = errorSentence(error, '');
  return sentence === '' ? `${short}. Nothing was charged.` : `${short}. ${sentence}`;
}

const purchaseFailureTitle = (error: unknown): string =>
  error instanceof PurchaseUnconfirmedError ? 'Purchase Failed' : 'Payment Failed';

/** What went wrong, in a sentence: the provider's or the server's own where there is one. */
function purchaseFailure(error: unknown): string {
  if (error instanceof PurchaseUnconfirmedError) {
    return errorSentence(error.cause, 'The purchase could not be confirmed.');
  }
  if (error instanceof PaymentRefusedError) return error.message;
  if (isOutcomeUnknown(error)) return 'No answer came from the payment provider.';
  return errorSentence(error, 'The payment could not be made.');
}

/** What the buyer can do, where trying again might look dangerous. */
function purchaseAdvice(error: unknown): string {
  if (error instanceof PurchaseUnconfirmedError) {
    return ' Your card is never charged twice: finish the purchase, or look at your balance in a minute.';
  }
  return isOutcomeUnknown(error) ? ' Paying again never charges twice.' : '';
}

interface SummaryProps {
  setup: PaymentSetup;
  canChange: boolean;
  onChange: () => void;
}

function Summary({ setup, canChange, onChange }: SummaryProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-line bg-sky-700/40 py-2 pr-2 pl-4">
      <Amount value={setup.amount} className="text-lg font-semibold" />
      <span className="text-sm text-ink-muted tabular-nums">for {formatUsdCents(setup.chargedCents)}</span>
      {setup.sandbox && <Badge tone="hold">Sandbox</Badge>}
      <Button size="sm" variant="ghost" className="ml-auto" disabled={!canChange} onClick={onChange}>
        Change<span className="sr-only"> amount</span>
      </Button>
    </div>
  );
}

function Arrived({ amount, novaBalance, onDone }: { amount: number; novaBalance: number; onDone: () => void }) {
  return (
    <div className="grid justify-items-center gap-2 py-4 text-center">
      <CircleCheck aria-hidden="true" className="size-12 text-gain" />
      <output className="text-base font-semibold text-ink">{sayAmount(amount)} added</output>
      <p className="text-sm text-ink-muted">
        Your balance is <Amount value={novaBalance} className="font-semibold text-ink" />
      </p>
      <Button variant="primary" className="mt-4 w-full" onClick={onDone}>
        Done
      </Button>
    </div>
  );
}
