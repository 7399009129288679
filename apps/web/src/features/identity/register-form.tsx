import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm } from 'react-hook-form';
import { Button, Field, FieldError, NEW_PASSWORD_HINT, PasswordInput, TextInput } from '@/shared/ui';
import { ALL_FIELDS_REQUIRED, registerSchema, type Credentials, type RegisterValues } from './auth-schemas';
import { readFieldErrors } from './field-errors';
import { PinInput } from './pin-input';
import { TermsConsent } from './terms-consent';
import { useSignOn } from './use-sign-on';

/** Registering (rule accounts-1). */
export function RegisterForm({ onDeviceLimit }: { onDeviceLimit: (credentials: Credentials) => void }) {
  const { register, control, handleSubmit, formState } = useForm<RegisterValues>({
    resolver: zodResolver(registerSchema),
    mode: 'onTouched',
    defaultValues: { displayName: '', email: '', password: '', pin: '', tcConsent: false },
  });
  const signOn = useSignOn<RegisterValues>({ path: '/api/auth/register', onDeviceLimit });
  const errors = readFieldErrors(formState.errors, ALL_FIELDS_REQUIRED);
  return (
    <form
      noValidate
      aria-label="Create Account"
      className="grid gap-4"
      onSubmit={(event) => void handleSubmit((values) => signOn.mutate(values))(event)}
    >
      <Field label="Display Name" {...errors.props('displayName')}>
        <TextInput {...register('displayName')} dir="auto" autoComplete="nickname" />
      </Field>
      <Field label="Email" {...errors.props('email')}>
        <TextInput {...register('email')} type="email" autoComplete="email" />
      </Field>
      <Field label="Password" hint={NEW_PASSWORD_HINT} {...errors.props('password')}>
        <PasswordInput {...register('password')} autoComplete="new-password" />
      </Field>
      <Field
        label="Recovery PIN"
        hint="4-6 digits. Sets a new password when you forget yours."
        {...errors.props('pin')}
      >
        <PinInput registration={register('pin')} />
      </Field>
      <Controller
        control={control}
        name="tcConsent"
        render={({ field, fieldState }) => <TermsConsent {...field} error={fieldState.error?.message} />}
      />
      {errors.missing !== undefined && <FieldError>{errors.missing}</FieldError>}
      <Button type="submit" variant="primary" size="lg" pending={signOn.isPending} pendingText="Please wait...">
        Create Account
      </Button>
    </form>
  );
}
