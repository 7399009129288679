import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { PasskeySignIn } from '@/features/passkeys/passkey-sign-in';
import { canUsePasskeys } from '@/features/passkeys/ceremonies';
import { Button, Field, FieldError, PasswordInput, TextInput } from '@/shared/ui';
import { CREDENTIALS_REQUIRED, signInSchema, type Credentials, type SignInValues } from './auth-schemas';
import { readFieldErrors } from './field-errors';
import { TermsConsent } from './terms-consent';
import { useSignOn } from './use-sign-on';

export interface SignInFormProps {
  /** What the form begins with; others, which come back from a dialog, are filled in. */
  credentials: Credentials;
  onDeviceLimit: (credentials: Credentials) => void;
  onForgotPassword: () => void;
}

/** Signing in (rule accounts-2). */
export function SignInForm({ credentials, onDeviceLimit, onForgotPassword }: SignInFormProps) {
  const { register, control, handleSubmit, formState, setValue, getValues, trigger } = useForm<SignInValues>({
    resolver: zodResolver(signInSchema),
    mode: 'onTouched',
    defaultValues: { ...credentials, tcConsent: false },
  });
  useEffect(() => {
    setValue('email', credentials.email);
    setValue('password', credentials.password);
  }, [credentials, setValue]);
  const signOn = useSignOn<SignInValues>({ path: '/api/auth/signin', onDeviceLimit });
  const hasConsented = useWatch({ control, name: 'tcConsent' });
  const errors = readFieldErrors(formState.errors, CREDENTIALS_REQUIRED);
  return (
    <form
      noValidate
      aria-label="Sign In"
      className="grid gap-4"
      onSubmit={(event) => void handleSubmit((values) => signOn.mutate(values))(event)}
    >
      <Field label="Email" {...errors.props('email')}>
        <TextInput
          {...register('email')}
          type="email"
          autoComplete={canUsePasskeys() ? 'username webauthn' : 'username'}
        />
      </Field>
      <Field
        label="Password"
        {...errors.props('password')}
        aside={
          <button
            type="button"
            onClick={onForgotPassword}
            className="-my-3 py-3 text-sm text-ink-muted underline-offset-2 hover:text-ink hover:underline"
          >
            Forgot your password?
          </button>
        }
      >
        <PasswordInput {...register('password')} autoComplete="current-password" />
      </Field>
      <Controller
        control={control}
        name="tcConsent"
        render={({ field, fieldState }) => <TermsConsent {...field} error={fieldState.error?.message} />}
      />
      {errors.missing !== undefined && <FieldError>{errors.missing}</FieldError>}
      <Button type="submit" variant="primary" size="lg" pending={signOn.isPending} pendingText="Please wait...">
        Sign In
      </Button>
      {canUsePasskeys() && (
        <PasskeySignIn
          hasConsented={hasConsented}
          askForConsent={() => void trigger('tcConsent', { shouldFocus: true })}
          onDeviceLimit={() => onDeviceLimit(getValues())}
        />
      )}
    </form>
  );
}
