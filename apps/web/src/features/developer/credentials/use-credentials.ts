import { isolated } from '@app/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { api, ensureGone, type Answer, type Schemas, useCursorPages } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

export type Secret = Schemas['SecretDto'];
export type ApplicationCall = Schemas['ApplicationCallDto'];
export type ConsentingMember = Schemas['ConsentingMemberDto'];

export const useSecrets = (clientId: string) =>
  useQuery<Answer<'/api/oauth/application/{clientId}/secrets'>>({
    queryKey: oauthKeys.secrets(clientId),
    refetchOnMount: 'always',
  });

function useRefresh(clientId: string): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: oauthKeys.secrets(clientId) });
}

export function useCreateSecret(clientId: string) {
  const refresh = useRefresh(clientId);
  return useMutation({
    mutationFn: (name: string) =>
      api.post('/api/oauth/application/{clientId}/secrets', { path: { clientId }, body: { name } }),
    // A secret must not stay in the mutation cache once its dialog is closed.
    gcTime: 0,
    onSuccess: refresh,
  });
}

export function useRevokeSecret(clientId: string, { id, name }: Secret) {
  const refresh = useRefresh(clientId);
  return useMutation({
    mutationFn: () =>
      ensureGone(api.delete('/api/oauth/application/{clientId}/secrets/{id}', { path: { clientId, id } })),
    onSuccess() {
      toast({ title: 'Secret Revoked', description: `“${isolated(name)}” proves nothing any more.` });
      refresh();
    },
    onError: (error) => errorToast('Revoking Failed', error, 'The secret was not revoked.'),
  });
}

/** Those who consented, newest first. */
export const useConsentingMembers = (clientId: string) =>
  useCursorPages(oauthKeys.members(clientId), (page) =>
    api.get('/api/oauth/application/{clientId}/members', { path: { clientId }, ...page }),
  );

/** What the application called, newest first. */
export const useCalls = (clientId: string) =>
  useCursorPages(oauthKeys.calls(clientId), (page) =>
    api.get('/api/oauth/application/{clientId}/calls', { path: { clientId }, ...page }),
  );
