import { zodResolver } from '@hookform/resolvers/zod';
import { type Ref, useEffect, useId, useRef, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useSearchParams } from 'react-router-dom';
import { canUsePasskeys } from '@/features/passkeys/ceremonies';
import { PasskeySignIn } from '@/features/passkeys/passkey-sign-in';
import { useStoredValue } from '@/shared/hooks/use-stored-value';
import {
  Button,
  Checkbox,
  Field,
  FieldError,
  NEW_PASSWORD_HINT,
  NovaMark,
  PasswordInput,
  TextInput,
} from '@/shared/ui';
import { type AuthDialogName, AuthDialogs } from './auth-dialogs';
import {
  ALL_FIELDS_REQUIRED,
  type Credentials,
  CREDENTIALS_REQUIRED,
  hintedEmail,
  registerSchema,
  type RegisterValues,
  signInSchema,
  type SignInValues,
} from './auth-schemas';
import { readFieldErrors } from './field-errors';
import { PinInput } from './pin-input';
import { KNOWN_DEVICE_KEY, useSignOn } from './use-sign-on';

const EMPTY: Credentials = { email: '', password: '' };

const linkClasses =
  'min-h-11 rounded-sm px-2 text-sm text-ink-muted underline-offset-2 hover:text-ink hover:underline sm:min-h-9';

/** The card behind ENTER: register or sign in, devices, recovery (rule accounts-3). */
export function AuthCard() {
  const [knownDevice] = useStoredValue(KNOWN_DEVICE_KEY);
  const [parameters] = useSearchParams();
  const [credentials, setCredentials] = useState({ ...EMPTY, email: hintedEmail(parameters) });
  const isNewHere = knownDevice === null && credentials.email === '';
  const [mode, setMode] = useState<'register' | 'signin'>(isNewHere ? 'register' : 'signin');
  const [dialog, setDialog] = useState<AuthDialogName | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const registering = mode === 'register';

  // ENTER has just vanished with the focus on it, so the title of what replaced it takes the focus.
  useEffect(() => title.current?.focus(), []);

  const signInWith = (next: Credentials) => {
    setCredentials(next);
    setMode('signin');
  };
  const manageDevices = ({ email, password }: Credentials) => {
    setCredentials({ email, password });
    setDialog('devices');
  };

  return (
    <div className="w-full max-w-md animate-rise rounded-lg border border-line bg-sky-800/95 p-6 shadow-raised sm:p-8">
      <header className="mb-6 text-center">
        <h1
          ref={title}
          tabIndex={-1}
          className="flex items-center justify-center gap-2 font-display text-2xl font-semibold tracking-tight"
        >
          <NovaMark className="size-7" />
          Nova
        </h1>
        <p className="mt-1 text-sm text-ink-muted">
          {registering ? 'Create an account to start chatting' : 'Sign in to continue chatting'}
        </p>
      </header>

      {registering ? (
        <RegisterForm onDeviceLimit={manageDevices} />
      ) : (
        <SignInForm
          credentials={credentials}
          onDeviceLimit={manageDevices}
          onForgotPassword={() => setDialog('recovery')}
        />
      )}

      <div className="mt-4 grid justify-items-center">
        <button
          type="button"
          className={linkClasses}
          onClick={() => {
            setCredentials(EMPTY);
            setMode(registering ? 'signin' : 'register');
          }}
        >
          {registering ? 'Already have an account? Sign in' : "Don't have an account? Sign up"}
        </button>
        <button type="button" className={linkClasses} onClick={() => setDialog('devices')}>
          Too many devices? Manage devices
        </button>
      </div>

      <AuthDialogs name={dialog} onClose={() => setDialog(null)} credentials={credentials} onSignIn={signInWith} />
    </div>
  );
}

/** The registration form (rule accounts-1). */
function RegisterForm({ onDeviceLimit }: { onDeviceLimit: (credentials: Credentials) => void }) {
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

interface SignInFormProps {
  /** The initial values; others, which a dialog returns, are filled in later. */
  credentials: Credentials;
  onDeviceLimit: (credentials: Credentials) => void;
  onForgotPassword: () => void;
}

/** The sign-in form (rule accounts-2). */
function SignInForm({ credentials, onDeviceLimit, onForgotPassword }: SignInFormProps) {
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

interface TermsConsentProps {
  ref: Ref<HTMLButtonElement>;
  name: string;
  value: boolean;
  onChange: (ticked: boolean) => void;
  onBlur: () => void;
  error: string | undefined;
}

/**
 * The consent that registering and signing in both require (rule accounts-2). The Terms open beside the form, which
 * keeps its values.
 */
function TermsConsent({ value, onChange, error, ...rest }: TermsConsentProps) {
  const errorId = useId();
  return (
    <div className="grid gap-1.5">
      <Checkbox
        {...rest}
        checked={value}
        onCheckedChange={onChange}
        invalid={error !== undefined}
        describedBy={error === undefined ? undefined : errorId}
        label={
          <>
            I accept the{' '}
            <a href="/terms" target="_blank" rel="noopener" className="text-nova underline underline-offset-2">
              Terms &amp; Conditions
            </a>
          </>
        }
      />
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}
