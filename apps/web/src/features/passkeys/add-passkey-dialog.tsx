import { zodResolver } from '@hookform/resolvers/zod';
import { deviceName, PASSKEY_NAME_MAX } from '@app/domain';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { ALL_FIELDS_REQUIRED } from '@/features/identity/auth-schemas';
import { readFieldErrors } from '@/features/identity/field-errors';
import { hasCode } from '@/shared/api';
import { Button, Dialog, ErrorNote, Field, FieldError, PasswordInput, StayOpen, TextInput, toast } from '@/shared/ui';
import { passkeyFailure } from './ceremonies';
import { type NewPasskey, useAddPasskey } from './use-passkeys';

const WRONG_PASSWORD = 'WRONG_PASSWORD';

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, ALL_FIELDS_REQUIRED)),
  password: z.string().check(z.minLength(1, ALL_FIELDS_REQUIRED)),
});

export interface AddPasskeyDialogProps {
  open: boolean;
  email: string;
  onClose: () => void;
  onAdded: (added: { recoveryCodes?: string[] }) => void;
}

/** A name and the password; then the browser has the device make a passkey. */
export function AddPasskeyDialog({ open, onClose, ...form }: AddPasskeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      size="sm"
      title="Add a passkey"
      description="Your browser asks you for your fingerprint, your face or your screen lock next."
    >
      <AddPasskeyForm {...form} onDone={onClose} />
    </Dialog>
  );
}

interface FormProps extends Pick<AddPasskeyDialogProps, 'email' | 'onAdded'> {
  onDone: () => void;
}

function AddPasskeyForm({ email, onAdded, onDone }: FormProps) {
  const usernameId = useId();
  const { register, handleSubmit, setError, formState } = useForm<NewPasskey>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { name: deviceName(navigator.userAgent), password: '' },
  });
  const errors = readFieldErrors(formState.errors, ALL_FIELDS_REQUIRED);
  const add = useAddPasskey();
  const send = (values: NewPasskey) =>
    add.mutate(values, {
      onSuccess(added) {
        toast({ title: 'Passkey Added', description: 'You can now sign in with it.' });
        onDone();
        onAdded(added);
      },
      onError(error) {
        if (hasCode(error, WRONG_PASSWORD)) setError('password', { message: error.sentence }, { shouldFocus: true });
      },
    });
  return (
    <form
      noValidate
      aria-label="Add a passkey"
      className="grid gap-4"
      onSubmit={(event) => void handleSubmit((values) => !add.isPending && send(values))(event)}
    >
      <StayOpen while={add.isPending} />
      {/* Whose password it is, for password managers. */}
      <input id={usernameId} hidden readOnly autoComplete="username" value={email} />
      <Field label="Name" hint="A name to recognise it by." {...errors.props('name')}>
        <TextInput {...register('name')} dir="auto" autoComplete="off" maxLength={PASSKEY_NAME_MAX} />
      </Field>
      <Field label="Your Password" {...errors.props('password')}>
        <PasswordInput {...register('password')} autoComplete="current-password" />
      </Field>
      {errors.missing !== undefined && <FieldError>{errors.missing}</FieldError>}
      {add.isError && !hasCode(add.error, WRONG_PASSWORD) && <ErrorNote>{passkeyFailure(add.error)}</ErrorNote>}
      <Button type="submit" variant="primary" size="lg" pending={add.isPending} pendingText="Please wait...">
        Continue
      </Button>
    </form>
  );
}
