import { zodResolver } from '@hookform/resolvers/zod';
import { FlaskConical } from 'lucide-react';
import type { ChangeEvent } from 'react';
import { useForm } from 'react-hook-form';
import { Button, Field, TextInput } from '@/shared/ui';
import type { CardFormProps } from './card-form';
import { formatExpiry, groupCardNumber, sandboxCardSchema, type SandboxCard } from './sandbox-card-rules';
import { paySandbox, testPaymentMethod } from './sandbox-payments';

const TEST_CARD: SandboxCard = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' };

/** A card form for the stand-in of Stripe, marked as such (rule wallet-20). */
export function SandboxCardForm({ setup, payLabel, isPending, onPay }: CardFormProps) {
  const form = useForm<SandboxCard, unknown, { number: string; expiry: string; cvc: string }>({
    mode: 'onTouched',
    resolver: zodResolver(sandboxCardSchema),
    defaultValues: { number: '', expiry: '', cvc: '' },
  });
  const { errors } = form.formState;

  /** Formats the text like a printed card, unless the caret is inside it and would jump. */
  const written = (field: keyof SandboxCard, write: (text: string) => string) => ({
    onChange({ target }: ChangeEvent<HTMLInputElement>) {
      if (target.selectionStart === target.value.length) form.setValue(field, write(target.value));
    },
  });

  const submit = form.handleSubmit(({ number }) => {
    const paymentMethod = testPaymentMethod(number);
    if (paymentMethod !== undefined) onPay({ pay: () => paySandbox(setup, paymentMethod) });
  });
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={(event) => void submit(event)}>
      <SandboxNote isPending={isPending} onFill={() => form.reset(TEST_CARD)} />
      <Field label="Card number" error={errors.number?.message}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          placeholder="4242 4242 4242 4242"
          readOnly={isPending}
          className="tabular-nums"
          {...form.register('number', written('number', groupCardNumber))}
        />
      </Field>
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label="Expiry" error={errors.expiry?.message}>
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            placeholder="MM / YY"
            readOnly={isPending}
            className="tabular-nums"
            {...form.register('expiry', written('expiry', formatExpiry))}
          />
        </Field>
        <Field label="CVC" error={errors.cvc?.message}>
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            maxLength={4}
            placeholder="123"
            readOnly={isPending}
            className="tabular-nums"
            {...form.register('cvc')}
          />
        </Field>
      </div>
      <Button type="submit" variant="primary" size="lg" pending={isPending} pendingText="Paying…">
        {payLabel}
      </Button>
    </form>
  );
}

function SandboxNote({ isPending, onFill }: { isPending: boolean; onFill: () => void }) {
  return (
    <div className="flex items-start gap-3 rounded-md border border-hold/40 bg-hold/10 p-3 text-sm text-ink">
      <FlaskConical aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-hold" />
      <div>
        <p>
          <strong className="font-semibold">Sandbox.</strong> No money moves. Pay with one of Stripe’s test cards.
        </p>
        <Button size="sm" variant="ghost" className="-ml-3" disabled={isPending} onClick={onFill}>
          Fill in 4242 4242 4242 4242
        </Button>
      </div>
    </div>
  );
}
