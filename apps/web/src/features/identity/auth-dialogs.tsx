import { lazy, Suspense, useState } from 'react';
import type { Credentials } from './auth-schemas';

/** Few visitors need them: they come when they are opened first, and stay. */
const DeviceDialog = lazy(async () => ({ default: (await import('@/features/identity/device-dialog')).DeviceDialog }));
const RecoveryDialog = lazy(async () => ({ default: (await import('./recovery-dialog')).RecoveryDialog }));

export type AuthDialogName = 'devices' | 'recovery';

export interface AuthDialogsProps {
  /** Which one is open. */
  name: AuthDialogName | null;
  onClose: () => void;
  credentials: Credentials;
  /** The visitor wants to sign in with these. */
  onSignIn: (credentials: Credentials) => void;
}

/** The dialogs of the auth card (rule accounts-3). */
export function AuthDialogs({ name, onClose, credentials, onSignIn }: AuthDialogsProps) {
  const [loaded, setLoaded] = useState<readonly AuthDialogName[]>([]);
  if (name !== null && !loaded.includes(name)) setLoaded([...loaded, name]);
  return (
    <Suspense fallback={null}>
      {loaded.includes('devices') && (
        <DeviceDialog open={name === 'devices'} onOpenChange={onClose} initial={credentials} onDone={onSignIn} />
      )}
      {loaded.includes('recovery') && (
        <RecoveryDialog
          open={name === 'recovery'}
          onOpenChange={onClose}
          onRecovered={(email) => onSignIn({ email, password: '' })}
        />
      )}
    </Suspense>
  );
}
