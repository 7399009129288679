import { REASON_MAX } from '@app/domain';
import { useForm } from 'react-hook-form';
import { errorSentence } from '@/shared/api';
import { Dialog, Field, Textarea } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { useExplain, type ReconciliationLine } from './use-reconciliation';

/** Says why a difference is right. */
export function ExplainDialog({ line, onClose }: { line: ReconciliationLine | null; onClose: () => void }) {
  return (
    <Dialog
      open={line !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Explain the difference"
      description={line?.note ?? undefined}
    >
      {line !== null && <ExplainForm id={line.id} onDone={onClose} />}
    </Dialog>
  );
}

function ExplainForm({ id, onDone }: { id: string; onDone: () => void }) {
  const form = useForm({ mode: 'onTouched', defaultValues: { reason: '' } });
  const explain = useExplain(onDone);
  const submit = form.handleSubmit(({ reason }) => explain.mutate({ id, reason: reason.trim() }));
  return (
    <DialogForm
      submitText="Explain"
      onSubmit={submit}
      isPending={explain.isPending}
      problem={explain.error && errorSentence(explain.error, 'The difference could not be explained.')}
    >
      <Field
        label="Why the difference is right"
        hint="Kept for audits. The difference stays explained until the books agree."
        error={form.formState.errors.reason?.message}
      >
        <Textarea
          rows={3}
          maxLength={REASON_MAX}
          {...form.register('reason', { validate: (text) => text.trim() !== '' || 'Say why.' })}
        />
      </Field>
    </DialogForm>
  );
}
