import { TOP_UP_PRESETS } from '@app/domain';
import { clsx } from 'clsx';
import { CircleCheck } from 'lucide-react';
import { lazy } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { errorSentence, formatNova, formatUsdCents, isOutcomeUnknown, novaPriceCents, sayAmount } from '@/shared/api';
import {
  Amount,
  AmountInput,
  Button,
  ErrorNote,
  failureToast,
  Field,
  PartBoundary,
  Skeleton,
  StayOpen,
  toast,
} from '@/shared/ui';
import { type PaymentProvider, PaymentRefusedError } from './payment-provider';
import { SandboxCardForm } from './sandbox-card-form';
import { INVALID_AMOUNT_TITLE, readTopUp } from './top-up-rules';
import { type PaymentSetup, paymentSetupSentence, PurchaseUnconfirmedError, useTopUp } from './use-top-up';

// Stripe's code is loaded only where Stripe is on.
const StripeCardForm = lazy(() => import('./stripe-card-form'));

/** The three steps of a top-up: amount, card, done (rule wallet-13). */
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
      {
        onError: (error) =>
          toast({
            title: purchaseFailureTitle(error),
            description: purchaseFailure(error),
            variant: 'destructive',
            isLong: true,
          }),
      },
    );
  // A payment that may have been charged must not be abandoned.
  const canChange = !purchase.isPending && !isCharged && !isOutcomeUnknown(purchase.error);
  const payLabel = `Pay ${formatUsdCents(setup.chargedCents)}`;
  const CardForm = setup.sandbox || setup.publishableKey === null ? SandboxCardForm : StripeCardForm;
  return (
    <div className="grid grid-cols-1 gap-4">
      <StayOpen while={purchase.isPending} />
      <Summary setup={setup} canChange={canChange} onChange={startOver} />
      {purchase.error !== null && !purchase.isPending && <ErrorNote>{purchaseAdvice(purchase.error)}</ErrorNote>}
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

/** Finishes a purchase whose card payment has succeeded: nothing is left to pay. */
const ALREADY_PAID: PaymentProvider = { pay: () => Promise.resolve() };

/** The text beside the form, after the toast: the server's own sentence if there is one. */
const setupFailure = (error: unknown): string => errorSentence(error, 'Nothing was charged.');

const purchaseFailureTitle = (error: unknown): string =>
  error instanceof PurchaseUnconfirmedError ? 'Purchase Failed' : 'Payment Failed';

/** What went wrong, in a sentence: the provider's or the server's own if there is one. */
function purchaseFailure(error: unknown): string {
  if (error instanceof PurchaseUnconfirmedError) {
    return errorSentence(error.cause, 'The purchase could not be confirmed.');
  }
  if (error instanceof PaymentRefusedError) return error.message;
  if (isOutcomeUnknown(error)) return 'No answer came from the payment provider.';
  return errorSentence(error, 'The payment could not be made.');
}

/** What it means for the buyer: a toast has said what went wrong. */
function purchaseAdvice(error: unknown): string {
  if (error instanceof PurchaseUnconfirmedError) {
    return 'Your card is never charged twice: finish the purchase, or look at your balance in a minute.';
  }
  if (isOutcomeUnknown(error)) return 'Paying again never charges twice.';
  return 'Nothing was charged. Check the card, or pay with another one.';
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

interface TopUpAmountFormProps {
  isPending: boolean;
  failure: string | null;
  onSubmit: (nova: number) => void;
}

const trim = (nova: number) => formatNova(nova, { decimals: 'trim' });

/** Step one: the amount in whole Nova, with its price beside it. */
function TopUpAmountForm({ isPending, failure, onSubmit }: TopUpAmountFormProps) {
  const form = useForm({ mode: 'onTouched', defaultValues: { amount: trim(TOP_UP_PRESETS[1]) } });
  const read = readTopUp(useWatch({ control: form.control, name: 'amount' }));
  const nova = 'nova' in read ? read.nova : null;

  const submit = form.handleSubmit(
    ({ amount }) => {
      const result = readTopUp(amount);
      if ('nova' in result) onSubmit(result.nova);
    },
    ({ amount }) => failureToast(INVALID_AMOUNT_TITLE, amount?.message ?? ''),
  );
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={(event) => void submit(event)}>
      <fieldset disabled={isPending} className="grid grid-cols-3 gap-2">
        <legend className="sr-only">Common amounts</legend>
        {TOP_UP_PRESETS.map((preset) => (
          <Preset
            key={preset}
            nova={preset}
            isChosen={preset === nova}
            onChoose={() => form.setValue('amount', trim(preset), { shouldValidate: true })}
          />
        ))}
      </fieldset>
      <Field label="Nova to buy" error={form.formState.errors.amount?.message} hint="1,250 to 10,000,000, whole Nova.">
        <AmountInput
          inputMode="numeric"
          readOnly={isPending}
          {...form.register('amount', {
            validate(text) {
              const result = readTopUp(text);
              return 'nova' in result || result.complaint.sentence;
            },
          })}
        />
      </Field>
      <p className="flex items-baseline justify-between text-sm text-ink-muted">
        You pay
        <output className="text-lg font-semibold text-ink tabular-nums">
          {nova === null ? '–' : formatUsdCents(novaPriceCents(nova))}
        </output>
      </p>
      {failure !== null && !isPending && <ErrorNote>{failure}</ErrorNote>}
      <Button type="submit" variant="primary" size="lg" pending={isPending}>
        {nova === null ? 'Continue to payment' : `Continue with ${sayAmount(nova)}`}
      </Button>
    </form>
  );
}

function Preset({ nova, isChosen, onChoose }: { nova: number; isChosen: boolean; onChoose: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={clsx(
        'grid min-h-14 place-content-center rounded-sm border px-2 text-center transition-colors disabled:opacity-50',
        isChosen ? 'border-nova bg-nova/10' : 'border-line-strong hover:border-ink-faint',
      )}
    >
      <span className="text-sm font-semibold text-ink tabular-nums">{trim(nova)}</span>
      <span className="text-xs text-ink-muted tabular-nums">{formatUsdCents(novaPriceCents(nova))}</span>
    </button>
  );
}
