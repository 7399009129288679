import { EMAIL_MAX } from '@app/domain';
import { useForm } from 'react-hook-form';
import { Field, TextInput } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { ReasonField, reasonBody } from '../reason-field';
import { useAdminAction } from './user-calls';
import { api, type Schemas } from '@/shared/api';

/** A simple address pattern; the server checks more strictly. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Keeps an address from registering, in whatever spelling. */
export function BlockEmailForm({ email, onDone }: { email: string; onDone: () => void }) {
  const form = useForm({ mode: 'onTouched', defaultValues: { email, reason: '' } });
  const action = useAdminAction({
    act: (body: Schemas['BlockEmailDto']) => api.post('/api/admin/block-email', { body }),
    done: 'E-mail Blocked',
    failure: 'Failed to block email',
    onDone,
  });
  const submit = form.handleSubmit((draft) => action.run({ email: draft.email.trim(), ...reasonBody(draft.reason) }));
  return (
    <DialogForm
      submitText="Block E-mail"
      variant="danger"
      onSubmit={submit}
      isPending={action.isPending}
      problem={action.problem}
    >
      <Field
        label="E-mail address"
        hint="Other spellings of the same mailbox are blocked too. An existing account stays."
        error={form.formState.errors.email?.message}
      >
        <TextInput
          type="email"
          autoComplete="off"
          maxLength={EMAIL_MAX}
          {...form.register('email', {
            validate: (text) => ADDRESS.test(text.trim()) || 'Enter a valid e-mail address.',
          })}
        />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}
