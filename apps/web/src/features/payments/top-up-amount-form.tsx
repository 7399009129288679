import { TOP_UP_PRESETS } from '@app/domain';
import { clsx } from 'clsx';
import { useForm, useWatch } from 'react-hook-form';
import { formatNova, formatUsdCents, novaPriceCents, sayAmount } from '@/shared/api';
import { AmountInput, Button, ErrorNote, failureToast, Field } from '@/shared/ui';
import { INVALID_AMOUNT_TITLE, readTopUp } from './top-up-rules';

export interface TopUpAmountFormProps {
  isPending: boolean;
  failure: string | null;
  onSubmit: (nova: number) => void;
}

const trim = (nova: number) => formatNova(nova, { decimals: 'trim' });

/** Step one: how much. Whole Nova, with its price beside it. */
export function TopUpAmountForm({ isPending, failure, onSubmit }: TopUpAmountFormProps) {
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
