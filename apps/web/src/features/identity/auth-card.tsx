import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useStoredValue } from '@/shared/hooks/use-stored-value';
import { NovaMark } from '@/shared/ui';
import { AuthDialogs, type AuthDialogName } from './auth-dialogs';
import { hintedEmail, type Credentials } from './auth-schemas';
import { RegisterForm } from './register-form';
import { SignInForm } from './signin-form';
import { KNOWN_DEVICE_KEY } from './use-sign-on';

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

  // ENTER has just vanished with the focus on it: what took its place speaks for itself.
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
