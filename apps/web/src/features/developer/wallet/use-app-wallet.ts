import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AppWallet, AppWalletPage } from '@/features/oauth/application-types';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { apiFetch, refreshMoney, useActionKey, useCursorPages } from '@/shared/api';

const path = (clientId: string): string => oauthKeys.wallet(clientId).join('/');

export const useAppWallet = (clientId: string) =>
  useQuery<AppWallet>({ queryKey: oauthKeys.wallet(clientId), refetchOnMount: 'always' });

/** What came into an application's wallet and went out of it, newest first. */
export const useAppWalletStatement = (clientId: string) =>
  useCursorPages<AppWalletPage>({
    queryKey: oauthKeys.walletStatement(clientId),
    path: `${path(clientId)}/statement`,
  });

/** Into the application's wallet, or out of it into one's own. */
export type WalletMove = 'fund' | 'withdraw';

interface Moved {
  message: string;
  balance: number;
  novaBalance: number;
  projected?: boolean;
}

/** Moves Nova once, however often it is tried. */
export function useMoveNova(clientId: string, move: WalletMove) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: (body: { amount: number }) =>
      apiFetch<Moved>(`${path(clientId)}/${move}`, { method: 'POST', body, idempotencyKey: key.keyFor(body) }),
    onSuccess: () => key.done(),
    // Also after a failure: with no answer, only the statement can say what became of it.
    onSettled(moved) {
      refreshMoney(client, moved && { projected: moved.projected !== false }, [oauthKeys.wallet(clientId)]);
    },
  });
}
