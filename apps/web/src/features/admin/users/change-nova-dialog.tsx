import { useForm, useWatch } from 'react-hook-form';
import { addNova, errorSentence, formatNova, isOutcomeUnknown, novaToMinor, parseNova, sayAmount } from '@/shared/api';
import { Amount, AmountInput, Button, Dialog, ErrorNote, errorToast, Field, StayOpen, toast } from '@/shared/ui';
import { isWaiting } from '../approvals/use-approvals';
import { WaitingNote } from '../approvals/waiting-note';
import { useChangeNova, type AdminUser, type NovaChange } from '../use-admin';
import { ReasonField, reasonBody } from '../reason-field';
import { NameAndEmail } from './user-parts';

const WORDS = {
  add: { title: 'Add Nova', failure: 'Failed to add Nova' },
  deduct: { title: 'Deduct Nova', failure: 'Failed to deduct Nova' },
} as const satisfies Record<NovaChange, unknown>;

export interface ChangeNovaDialogProps {
  /** The user, and whether Nova is added or taken; null while the dialog is closed. */
  changing: { user: AdminUser; change: NovaChange } | null;
  onClose: () => void;
}

/** Adds Nova to a member, or takes it away, with an optional reason (rule admin-7). */
export function ChangeNovaDialog({ changing, onClose }: ChangeNovaDialogProps) {
  return (
    <Dialog
      open={changing !== null}
      onOpenChange={(open) => !open && onClose()}
      title={changing === null ? '' : WORDS[changing.change].title}
      description={
        changing !== null && (
          <span>
            <NameAndEmail user={changing.user} /> has {formatNova(changing.user.novaBalance)} Nova.
          </span>
        )
      }
    >
      {changing !== null && <ChangeNovaForm {...changing} onDone={onClose} />}
    </Dialog>
  );
}

interface ChangeNovaFormProps {
  user: AdminUser;
  change: NovaChange;
  onDone: () => void;
}

function ChangeNovaForm({ user, change, onDone }: ChangeNovaFormProps) {
  const form = useForm({ mode: 'onTouched', defaultValues: { amount: '', reason: '' } });
  const mutation = useChangeNova(user.id, change);
  const { errors } = form.formState;
  const amount = parseNova(useWatch({ control: form.control, name: 'amount' }));
  // While it is unknown whether the change took effect, only the very same change may be retried.
  const isLocked = mutation.isPending || isOutcomeUnknown(mutation.error);

  const submit = form.handleSubmit((draft) => {
    const body = { amount: parseNova(draft.amount) ?? 0, ...reasonBody(draft.reason) };
    mutation.mutate(body, {
      onSuccess(answer) {
        if (isWaiting(answer)) return;
        toast({ title: change === 'add' ? 'Nova Added' : 'Nova Deducted', description: answer.message });
        onDone();
      },
      onError: (error) => errorToast('Error', error, WORDS[change].failure),
    });
  });
  if (mutation.data !== undefined && isWaiting(mutation.data)) {
    return <WaitingNote act={mutation.data} onDone={onDone} />;
  }
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={(event) => void submit(event)}>
      <StayOpen while={mutation.isPending} />
      <Field label="Amount" error={errors.amount?.message}>
        <AmountInput
          readOnly={isLocked}
          {...form.register('amount', { validate: (text) => amountProblem(text, user, change) ?? true })}
        />
      </Field>
      <ReasonField registration={form.register('reason')} readOnly={isLocked} />
      <BalanceAfter user={user} change={change} amount={amount} />
      {mutation.error !== null && !mutation.isPending && (
        <ErrorNote>
          {errorSentence(mutation.error, WORDS[change].failure)}
          {isOutcomeUnknown(mutation.error) && <span> Trying again is safe: it takes effect only once.</span>}
        </ErrorNote>
      )}
      <Button type="submit" size="lg" variant={change === 'add' ? 'primary' : 'danger'} pending={mutation.isPending}>
        {actionLabel(change, amount)}
      </Button>
    </form>
  );
}

function actionLabel(change: NovaChange, amount: number | null): string {
  if (amount === null || amount === 0) return WORDS[change].title;
  return `${change === 'add' ? 'Add' : 'Deduct'} ${sayAmount(amount)}`;
}

/** What is wrong with an amount, word for word (rule admin-7); null if nothing is. */
function amountProblem(text: string, user: AdminUser, change: NovaChange): string | null {
  const amount = parseNova(text);
  if (amount === null) return 'Enter a number of Nova with at most two decimals.';
  if (amount <= 0) return 'The amount must be greater than 0.';
  return change === 'deduct' && exceeds(amount, user) ? 'Amount exceeds current balance' : null;
}

const exceeds = (amount: number, user: AdminUser): boolean => novaToMinor(amount) > novaToMinor(user.novaBalance);

function BalanceAfter({ user, change, amount }: { user: AdminUser; change: NovaChange; amount: number | null }) {
  const isImpossible = amount === null || (change === 'deduct' && exceeds(amount, user));
  const after = addNova(user.novaBalance, change === 'add' ? (amount ?? 0) : -(amount ?? 0));
  return (
    <p className="flex items-baseline justify-between rounded-md border border-line bg-sky-700/40 px-4 py-3 text-sm text-ink-muted">
      Balance after
      {isImpossible ? <span>–</span> : <Amount value={after} className="font-semibold text-ink" />}
    </p>
  );
}
