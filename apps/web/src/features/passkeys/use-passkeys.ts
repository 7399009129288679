import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiFetch, ensureGone, queryKeys } from '@/shared/api';
import { makePasskey } from './ceremonies';

export interface Passkey {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** Their password manager has it on all of their devices. */
  isSynced: boolean;
}

export interface PasskeyList {
  passkeys: Passkey[];
  limit: number;
  recoveryCodesLeft: number;
  isAvailable: boolean;
}

const PASSKEYS = ['/api/auth/passkeys'];

export const usePasskeys = () => useQuery<PasskeyList>({ queryKey: PASSKEYS });

/** What a change of passkeys shows in: an admin who had none may go on. */
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
      return apiFetch<{ recoveryCodes?: string[] }>('/api/auth/passkeys', { method: 'POST', body: { name, answer } });
    },
    onSuccess: () => void refresh(),
  });
}

export function useRenamePasskey(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (name: string) => apiFetch(`/api/auth/passkeys/${id}`, { method: 'PATCH', body: { name } }),
    onSuccess: () => void refresh(),
  });
}

export function useRemovePasskey(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => ensureGone(apiFetch(`/api/auth/passkeys/${id}`, { method: 'DELETE' })),
    onSuccess: () => void refresh(),
  });
}

export function useMakeRecoveryCodes() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => apiFetch<{ recoveryCodes: string[] }>('/api/auth/recovery-codes', { method: 'POST' }),
    onSuccess: () => void refresh(),
  });
}
