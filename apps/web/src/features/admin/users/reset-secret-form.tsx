import { PASSWORD_MAX, RESET_PASSWORD_MIN, RESET_PIN_LENGTH } from '@app/domain';
import { useForm } from 'react-hook-form';
import { api, type Schemas } from '@/shared/api';
import { Field, PasswordInput, TextInput } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { ReasonField, reasonBody } from './reason-field';
import { useAdminAction } from './user-calls';
import type { AdminUser } from '../use-admin';

interface ResetFormProps {
  user: AdminUser;
  onDone: () => void;
}

/** A new password; whoever is signed in with the old one is signed out. */
export function ResetPasswordForm({ user, onDone }: ResetFormProps) {
  const form = useForm({ mode: 'onTouched', defaultValues: { newPassword: '', reason: '' } });
  const action = useAdminAction({
    act: (body: Schemas['ResetPasswordDto']) =>
      api.post('/api/admin/users/{id}/reset-password', { path: { id: user.id }, body }),
    done: 'Password Reset',
    failure: 'Failed to reset password',
    onDone,
  });
  const submit = form.handleSubmit(({ newPassword, reason }) => action.run({ newPassword, ...reasonBody(reason) }));
  const validate = (text: string) =>
    Array.from(text).length >= RESET_PASSWORD_MIN || `The password needs at least ${RESET_PASSWORD_MIN} characters.`;
  return (
    <DialogForm submitText="Reset Password" onSubmit={submit} isPending={action.isPending} problem={action.problem}>
      <Field label="New password" error={form.formState.errors.newPassword?.message}>
        <PasswordInput
          autoComplete="new-password"
          maxLength={PASSWORD_MAX}
          {...form.register('newPassword', { validate })}
        />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}

/** A new recovery PIN of four digits; whatever else is typed is left out. */
export function ResetPinForm({ user, onDone }: ResetFormProps) {
  const form = useForm({ mode: 'onTouched', defaultValues: { newPin: '', reason: '' } });
  const action = useAdminAction({
    act: (body: Schemas['ResetPinDto']) => api.post('/api/admin/users/{id}/reset-pin', { path: { id: user.id }, body }),
    done: 'PIN Reset',
    failure: 'Failed to reset PIN',
    onDone,
  });
  const submit = form.handleSubmit(({ newPin, reason }) => action.run({ newPin, ...reasonBody(reason) }));
  const pin = form.register('newPin', {
    validate: (text) => text.length === RESET_PIN_LENGTH || `The PIN needs exactly ${RESET_PIN_LENGTH} digits.`,
  });
  return (
    <DialogForm submitText="Reset PIN" onSubmit={submit} isPending={action.isPending} problem={action.problem}>
      <Field label="New PIN" hint="Lets the member set a new password." error={form.formState.errors.newPin?.message}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          className="tabular-nums"
          {...pin}
          onChange={(event) => {
            event.target.value = event.target.value.replace(/[^0-9]/g, '').slice(0, RESET_PIN_LENGTH);
            void pin.onChange(event);
          }}
        />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}
