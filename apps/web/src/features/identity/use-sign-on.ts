import { DEVICE_LIMIT_TEXT, TERMS_VERSION } from '@app/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { storeValue } from '@/shared/hooks/use-stored-value';
import { api, ApiError, queryKeys } from '@/shared/api';
import { errorToast, failureToast } from '@/shared/ui';
import type { RegisterValues, SignInValues } from './auth-schemas';

/** Set once somebody has signed in on this device; the card then opens in sign-in mode. */
export const KNOWN_DEVICE_KEY = 'nova.knownDevice';

/** The server signals it with a flag or in its message (rule accounts-17). */
function isDeviceLimit(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { body } = error;
  const flagged = typeof body === 'object' && body !== null && 'requiresDeviceManagement' in body;
  return (flagged && body.requiresDeviceManagement === true) || error.message.includes(DEVICE_LIMIT_TEXT);
}

export interface SignOnOptions<T> {
  path: '/api/auth/register' | '/api/auth/signin';
  onDeviceLimit: (values: T) => void;
}

/** Registers or signs in, then refetches the current user, which opens the requested page (rule screens-3). */
export const useSignOn = <T extends RegisterValues | SignInValues>({ path, onDeviceLimit }: SignOnOptions<T>) =>
  useSignOnBy<T>((values) => api.post(path, { body: { ...values, tcVersion: TERMS_VERSION } }), {
    onDeviceLimit,
  });

/** The same, with the caller's own call. */
export function useSignOnBy<T>(
  signOn: (values: T) => Promise<unknown>,
  { onDeviceLimit }: Pick<SignOnOptions<T>, 'onDeviceLimit'>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (values: T) => {
      await signOn(values);
      storeValue(KNOWN_DEVICE_KEY, 'true');
      await client.invalidateQueries({ queryKey: queryKeys.currentUser });
    },
    onError(error, values) {
      if (isDeviceLimit(error)) {
        failureToast('Device Limit Reached', 'You have too many devices registered. Please remove some devices first.');
        onDeviceLimit(values);
        return;
      }
      errorToast('Error', error, 'Something went wrong. Please try again.');
    },
  });
}
