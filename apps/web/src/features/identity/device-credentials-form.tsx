import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { CREDENTIALS_REQUIRED, credentialsSchema, type Credentials } from '@/features/identity/auth-schemas';
import { readFieldErrors } from '@/features/identity/field-errors';
import { ErrorNote, Field, FieldError, PasswordInput, TextInput } from '@/shared/ui';

export interface DeviceCredentialsFormProps {
  id: string;
  initial: Credentials;
  onSubmit: (credentials: Credentials) => void;
  /** Why the last attempt failed. */
  failure: string | undefined;
}

/** Step 1 of the Device Management dialog (rule accounts-21); its submit button is in the dialog's footer. */
export function DeviceCredentialsForm({ id, initial, onSubmit, failure }: DeviceCredentialsFormProps) {
  const { register, handleSubmit, formState } = useForm<Credentials>({
    resolver: zodResolver(credentialsSchema),
    mode: 'onTouched',
    defaultValues: initial,
  });
  const errors = readFieldErrors(formState.errors, CREDENTIALS_REQUIRED);
  return (
    <form id={id} noValidate className="grid gap-4" onSubmit={(event) => void handleSubmit(onSubmit)(event)}>
      <Field label="Email" {...errors.props('email')}>
        <TextInput {...register('email')} type="email" autoComplete="username" />
      </Field>
      <Field label="Password" {...errors.props('password')}>
        <PasswordInput {...register('password')} autoComplete="current-password" />
      </Field>
      {errors.missing !== undefined && <FieldError>{errors.missing}</FieldError>}
      {failure !== undefined && <ErrorNote>{failure}</ErrorNote>}
    </form>
  );
}
