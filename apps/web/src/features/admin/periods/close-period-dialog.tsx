import { useForm } from 'react-hook-form';
import { errorSentence } from '@/shared/api';
import { Dialog, Field, TextInput } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { fromFieldTime } from '../finance/finance-address';
import { ReasonField, reasonBody } from '../users/reason-field';
import { useClosePeriod } from './use-periods';

export function ClosePeriodDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Close a period"
      description="It begins where the last one ended. This cannot be undone."
    >
      {open && <ClosePeriodForm onDone={onClose} />}
    </Dialog>
  );
}

function ClosePeriodForm({ onDone }: { onDone: () => void }) {
  const form = useForm({ mode: 'onTouched', defaultValues: { endsAt: '', reason: '' } });
  const close = useClosePeriod(onDone);
  const submit = form.handleSubmit(({ endsAt, reason }) =>
    close.mutate({ endsAt: fromFieldTime(endsAt), ...reasonBody(reason) }),
  );
  return (
    <DialogForm
      submitText="Close the period"
      onSubmit={submit}
      isPending={close.isPending}
      problem={close.error && errorSentence(close.error, 'The period could not be closed.')}
    >
      <Field
        label="Last moment that belongs to it (UTC)"
        hint="The whole second is included. It must be in the past."
        error={form.formState.errors.endsAt?.message}
      >
        <TextInput
          type="datetime-local"
          step={1}
          {...form.register('endsAt', {
            validate: (text) => fromFieldTime(text) !== '' || 'Choose a date and a time.',
          })}
        />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}
