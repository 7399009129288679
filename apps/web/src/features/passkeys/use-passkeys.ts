import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ensureGone, queryKeys, type Answer, type Schemas } from '@/shared/api';
import { makePasskey } from './ceremonies';

export type Passkey = Schemas['PasskeyDto'];

export type PasskeyList = Answer<'/api/auth/passkeys'>;

const PASSKEYS = ['/api/auth/passkeys'];

export const usePasskeys = () => useQuery<PasskeyList>({ queryKey: PASSKEYS });

/** Refetches what a change of passkeys affects: an admin who had none may now continue. */
function useRefresh(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all([PASSKEYS, queryKeys.currentUser].map((queryKey) => client.invalidateQueries({ queryKey })));
}

export interface NewPasskey {
  name: string;
  password: string;
}

export function useAddPasskey() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ name, password }: NewPasskey) => {
      const answer = await makePasskey(password);
      return api.post('/api/auth/passkeys', { body: { name, answer } });
    },
    onSuccess: () => void refresh(),
  });
}

export function useRenamePasskey(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (name: string) => api.patch('/api/auth/passkeys/{id}', { path: { id }, body: { name } }),
    onSuccess: () => void refresh(),
  });
}

export function useRemovePasskey(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => ensureGone(api.delete('/api/auth/passkeys/{id}', { path: { id } })),
    onSuccess: () => void refresh(),
  });
}

export function useMakeRecoveryCodes() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.post('/api/auth/recovery-codes'),
    onSuccess: () => void refresh(),
  });
}
