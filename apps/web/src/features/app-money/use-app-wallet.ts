import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { api, type PaidPress, refreshMoney, useActionKey, useCursorPages, type Answer } from '@/shared/api';

export const useAppWallet = (clientId: string) =>
  useQuery<Answer<'/api/oauth/application/{clientId}/wallet'>>({
    queryKey: oauthKeys.wallet(clientId),
    refetchOnMount: 'always',
  });

/** The movements of an application's wallet, newest first. */
export const useAppWalletStatement = (clientId: string) =>
  useCursorPages(oauthKeys.walletStatement(clientId), (page) =>
    api.get('/api/oauth/application/{clientId}/wallet/statement', { path: { clientId }, ...page }),
  );

/** Into the application's wallet, or out of it into the developer's own. */
export type WalletMove = 'fund' | 'withdraw';

/** Moves Nova once, however often the request is retried. */
export function useMoveNova(clientId: string, move: WalletMove) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: ({ press, ...body }: { amount: number; press: PaidPress }) =>
      api.post(`/api/oauth/application/{clientId}/wallet/${move}`, {
        path: { clientId },
        body,
        idempotencyKey: key.keyFor(body),
        press,
      }),
    onSuccess: () => key.done(),
    // Also after a failure: without an answer, only the statement shows what happened.
    onSettled(moved) {
      refreshMoney(client, moved, [oauthKeys.wallet(clientId)]);
    },
  });
}
