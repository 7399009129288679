import { lazy, Suspense, useState } from 'react';
import type { Credentials } from './auth-schemas';

/** Few visitors need these dialogs, so each loads when it is first opened, and then stays. */
const DeviceDialog = lazy(async () => ({ default: (await import('@/features/identity/device-dialog')).DeviceDialog }));
const RecoveryDialog = lazy(async () => ({ default: (await import('./recovery-dialog')).RecoveryDialog }));

export type AuthDialogName = 'devices' | 'recovery';

export interface AuthDialogsProps {
  /** The open dialog. */
  name: AuthDialogName | null;
  onClose: () => void;
  credentials: Credentials;
  /** Called when the visitor wants to sign in with these credentials. */
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
