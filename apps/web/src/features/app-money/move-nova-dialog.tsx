import { useForm, useWatch } from 'react-hook-form';
import { Link } from 'react-router-dom';
import {
  addNova,
  errorSentence,
  formatNova,
  isOutcomeUnknown,
  novaToMinor,
  type PaidPress,
  parseNova,
  sayAmount,
} from '@/shared/api';
import { useHeldValue } from '@/shared/hooks/use-held-value';
import {
  Amount,
  AmountInput,
  Dialog,
  ErrorNote,
  errorToast,
  Field,
  PaidButton,
  StayOpen,
  toast,
  TOP_UP,
} from '@/shared/ui';
import { useMoveNova, type WalletMove } from './use-app-wallet';

const WORDS = {
  fund: {
    title: 'Fund the application',
    from: 'your wallet',
    action: 'Fund',
    done: 'Application Funded',
    failure: 'Funding Failed',
  },
  withdraw: {
    title: 'Withdraw to your wallet',
    from: 'the application’s wallet',
    action: 'Withdraw',
    done: 'Nova Withdrawn',
    failure: 'Withdrawal Failed',
  },
} as const satisfies Record<WalletMove, Record<string, string>>;

export interface MoveNovaDialogProps {
  clientId: string;
  /** Null while the dialog is closed. */
  move: WalletMove | null;
  /** The Nova that can be moved. */
  available: number;
  walletBalance: number;
  onClose: () => void;
}

/** Moves Nova between the developer's wallet and the application's. */
export function MoveNovaDialog({ move, onClose, ...rest }: MoveNovaDialogProps) {
  return (
    <Dialog
      open={move !== null}
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={move === null ? '' : WORDS[move].title}
      description={move === null ? '' : `There are ${formatNova(rest.available)} Nova in ${WORDS[move].from}.`}
    >
      {move !== null && <MoveNovaForm {...rest} move={move} onDone={onClose} />}
    </Dialog>
  );
}

type FormProps = Omit<MoveNovaDialogProps, 'move' | 'onClose'> & { move: WalletMove; onDone: () => void };

function MoveNovaForm({ clientId, move, onDone, ...now }: FormProps) {
  const form = useForm({ mode: 'onTouched', defaultValues: { amount: '' } });
  const moving = useMoveNova(clientId, move);
  const words = WORDS[move];
  const amount = parseNova(useWatch({ control: form.control, name: 'amount' })) ?? 0;
  // While it is unknown whether the move took effect, only the very same amount may be retried.
  const isLocked = moving.isPending || isOutcomeUnknown(moving.error);
  const available = useHeldValue(now.available, isLocked);
  const walletBalance = useHeldValue(now.walletBalance, isLocked);

  const submit = (press: PaidPress) =>
    form.handleSubmit((draft) =>
      moving.mutate(
        { amount: parseNova(draft.amount) ?? 0, press },
        {
          onSuccess({ message }) {
            toast({ title: words.done, description: message });
            onDone();
          },
          onError: (error) => errorToast(words.failure, error, 'No Nova was moved.'),
        },
      ),
    )();
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={(event) => event.preventDefault()}>
      <StayOpen while={moving.isPending} />
      <Field
        label="Amount"
        error={form.formState.errors.amount?.message}
        aside={
          <button
            type="button"
            disabled={isLocked || available <= 0}
            className="min-h-11 rounded-sm px-1 text-sm text-nova underline-offset-2 hover:underline disabled:opacity-50 sm:min-h-8"
            onClick={() =>
              form.setValue('amount', formatNova(available, { decimals: 'trim' }), { shouldValidate: true })
            }
          >
            All of it
          </button>
        }
      >
        <AmountInput
          readOnly={isLocked}
          {...form.register('amount', { validate: (text) => complaintOf(text, available) ?? true })}
        />
      </Field>
      {move === 'fund' && <TopUpWhenShort amount={amount} available={available} />}
      <p className="flex items-baseline justify-between rounded-md border border-line bg-sky-700/40 px-4 py-3 text-sm text-ink-muted">
        The application then has
        <Amount
          value={Math.max(0, addNova(walletBalance, move === 'fund' ? amount : -amount))}
          className="font-semibold text-ink"
        />
      </p>
      {moving.error !== null && !moving.isPending && <ErrorNote>{failure(moving.error)}</ErrorNote>}
      <PaidButton
        type="submit"
        size="lg"
        variant="primary"
        pending={moving.isPending}
        buys={`${move} ${clientId}`}
        onPay={(press) => void submit(press)}
      >
        {amount > 0 ? `${words.action} ${sayAmount(amount)}` : words.action}
      </PaidButton>
    </form>
  );
}

function TopUpWhenShort({ amount, available }: { amount: number; available: number }) {
  if (novaToMinor(amount) <= novaToMinor(available)) return null;
  return (
    <Link to={TOP_UP.to} className="justify-self-start text-sm font-medium text-nova underline underline-offset-2">
      {TOP_UP.label}
    </Link>
  );
}

function failure(error: Error): string {
  const sentence = errorSentence(error, 'No Nova was moved.');
  return isOutcomeUnknown(error) ? `${sentence} Trying again is safe: it takes effect only once.` : sentence;
}

function complaintOf(text: string, available: number): string | null {
  const amount = parseNova(text);
  if (amount === null) return 'Enter a number of Nova with at most two decimals.';
  if (amount <= 0) return 'The amount must be greater than 0.';
  return novaToMinor(amount) > novaToMinor(available) ? 'There is not enough Nova.' : null;
}
