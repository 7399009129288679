import { type DollarAccount } from '@app/domain';
import { Plus, X } from 'lucide-react';
import { type Control, useFieldArray, useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import { errorSentence, isOutcomeUnknown, parseDollars } from '@/shared/api';
import { Button, Dialog, Field, FieldError, TextInput } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { AccountSelect } from './account-select';
import { centsText } from './dollar-amount';
import { RequiredReason, SAY_WHY } from '../reason-field';
import { usePostAdjustment } from './use-general-ledger';

/** As many as the server takes. */
const LINES_MAX = 50;
const LINES_MIN = 2;

interface Draft {
  date: string;
  reason: string;
  lines: { account: DollarAccount; debit: string; credit: string }[];
}

const FIRST_LINES: Draft['lines'] = [
  { account: 'expenses:losses:disputes', debit: '', credit: '' },
  { account: 'liabilities:unapplied', debit: '', credit: '' },
];

export interface AdjustmentDialogProps {
  open: boolean;
  /** The day to begin with. */
  date: string;
  onClose: () => void;
}

/** An entry by hand: an accrual, an expected loss, a release (rule finance-8). */
export function AdjustmentDialog({ open, date, onClose }: AdjustmentDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Post an adjustment"
      description="An accrual, an expected loss, a release. Debits and credits must be equal."
      size="lg"
    >
      {open && <AdjustmentForm date={date} onDone={onClose} />}
    </Dialog>
  );
}

/** What a line adds to the debits, in cents; null if it is not exactly one amount. */
function lineCents({ debit, credit }: Draft['lines'][number]): number | null {
  const [text, side] = credit.trim() === '' ? [debit, 1] : [credit, -1];
  const cents = debit.trim() !== '' && credit.trim() !== '' ? null : parseDollars(text);
  return cents === null || cents === 0 ? null : side * cents;
}

function linesProblem(lines: Draft['lines']): string | null {
  const cents = lines.map(lineCents);
  if (cents.includes(null)) return 'Enter a debit or a credit in each line, with at most two decimals.';
  return sumsOf(lines).left === 0 ? null : 'Debits and credits are not equal.';
}

function sumsOf(lines: Draft['lines']): { debits: number; credits: number; left: number } {
  const cents = lines.map((line) => lineCents(line) ?? 0);
  const sum = (side: 1 | -1): number => cents.reduce((all, one) => all + Math.max(0, side * one), 0);
  return { debits: sum(1), credits: sum(-1), left: sum(1) - sum(-1) };
}

function AdjustmentForm({ date, onDone }: { date: string; onDone: () => void }) {
  const form = useForm<Draft>({
    mode: 'onTouched',
    defaultValues: {
      date,
      reason: '',
      lines: FIRST_LINES,
    },
  });
  const { errors, isSubmitted } = form.formState;
  const adjust = usePostAdjustment(onDone);
  const lines = useWatch({ control: form.control, name: 'lines' });
  const problem = linesProblem(lines);
  const submit = form.handleSubmit((draft) => {
    if (linesProblem(draft.lines) !== null) return;
    adjust.mutate({
      date: draft.date,
      reason: draft.reason.trim(),
      lines: draft.lines.map((line) => ({ account: line.account, cents: lineCents(line) ?? 0 })),
    });
  });
  return (
    <DialogForm
      submitText="Post the adjustment"
      onSubmit={submit}
      isPending={adjust.isPending}
      problem={adjust.error && adjustmentProblem(adjust.error)}
    >
      <Field
        label="Date"
        hint="A day in the time zone of the books, in a month that is not closed."
        error={errors.date?.message}
        className="max-w-56"
      >
        <TextInput type="date" {...form.register('date', { required: 'Choose a date.' })} />
      </Field>
      <AdjustmentLines form={form} />
      <LiveSums control={form.control} />
      {isSubmitted && problem !== null && <FieldError>{problem}</FieldError>}
      <RequiredReason registration={form.register('reason', SAY_WHY)} error={errors.reason?.message} />
    </DialogForm>
  );
}

const adjustmentProblem = (error: Error): string =>
  errorSentence(error, 'The adjustment could not be posted.') +
  (isOutcomeUnknown(error) ? ' It may have been posted. Press the button again: it is posted once.' : '');

function AdjustmentLines({ form: { control, register } }: { form: UseFormReturn<Draft> }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'lines' });
  return (
    <fieldset className="grid grid-cols-1 gap-4">
      <legend className="sr-only">Lines</legend>
      {fields.map((field, index) => (
        <fieldset key={field.id} className="flex items-end gap-2">
          <legend className="sr-only">Line {index + 1}</legend>
          <div className="grid min-w-0 flex-1 grid-cols-2 gap-2 cramped:grid-cols-1 sm:grid-cols-[1fr_8rem_8rem]">
            <Field label="Account" className="col-span-2 min-w-0 cramped:col-span-1 sm:col-span-1">
              <AccountSelect {...register(`lines.${index}.account`)} />
            </Field>
            {(['debit', 'credit'] as const).map((side) => (
              <Field key={side} label={side === 'debit' ? 'Debit' : 'Credit'}>
                <TextInput
                  inputMode="decimal"
                  autoComplete="off"
                  className="text-right tabular-nums"
                  {...register(`lines.${index}.${side}`)}
                />
              </Field>
            ))}
          </div>
          {fields.length > LINES_MIN && (
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove line ${index + 1}`}
              icon={<X aria-hidden="true" className="size-4" />}
              onClick={() => remove(index)}
            />
          )}
        </fieldset>
      ))}
      <Button
        size="sm"
        className="justify-self-start"
        icon={<Plus aria-hidden="true" className="size-4" />}
        disabled={fields.length >= LINES_MAX}
        onClick={() => append({ account: 'income:other', debit: '', credit: '' })}
      >
        Add a line
      </Button>
    </fieldset>
  );
}

/** The sums while they are typed. */
function LiveSums({ control }: { control: Control<Draft> }) {
  const { debits, credits, left } = sumsOf(useWatch({ control, name: 'lines' }));
  const figures = [
    ['Debits', debits],
    ['Credits', credits],
    ['Left over', Math.abs(left)],
  ] as const;
  return (
    <output className="grid grid-cols-3 gap-3 rounded-md border border-line bg-sky-700/40 px-4 py-3 text-sm cramped:grid-cols-1">
      {figures.map(([label, cents]) => (
        <span key={label}>
          <span className="block text-xs text-ink-muted">{label}</span>
          <span className="font-semibold text-ink tabular-nums">{centsText(cents)}</span>
        </span>
      ))}
    </output>
  );
}
