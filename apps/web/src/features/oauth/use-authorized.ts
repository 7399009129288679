import { isolated } from '@app/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ensureGone } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import type { AuthorizedApplication } from './application-types';
import { oauthKeys } from './oauth-keys';

/** The applications that may act for the member. */
export const useAuthorizedApplications = () =>
  useQuery({
    queryKey: oauthKeys.authorized,
    queryFn: ({ signal }) => api.get('/api/oauth/applications', { signal }),
    select: ({ applications }) => applications,
    refetchOnMount: 'always',
  });

/** Call this after a change of what applications may do for a member. */
export function useRefreshApplications(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [oauthKeys.authorized, oauthKeys.used]) void client.invalidateQueries({ queryKey });
  };
}

export function useRevokeAccess() {
  const refresh = useRefreshApplications();
  return useMutation({
    mutationFn: ({ id }: Pick<AuthorizedApplication, 'id' | 'name'>) =>
      ensureGone(api.post('/api/oauth/revoke', { body: { client_id: id } })),
    onSuccess(_, { name }) {
      toast({ title: 'Access Revoked', description: `“${isolated(name)}” can no longer act for you.` });
      refresh();
    },
    onError: (error) => errorToast('Revocation Failed', error, 'The access was not revoked.'),
  });
}

export function useChangeLimit(clientId: string) {
  const refresh = useRefreshApplications();
  return useMutation({
    mutationFn: (dailyLimit: number) =>
      api.patch('/api/oauth/consents/{clientId}', { path: { clientId }, body: { dailyLimit } }),
    onSuccess({ message }) {
      toast({ title: 'Limit Changed', description: message });
      refresh();
    },
  });
}
