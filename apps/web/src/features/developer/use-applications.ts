import { isolated } from '@app/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Application, ApplicationEdit, NewApplication } from '@/features/oauth/application-types';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { api, ensureGone, type Answer } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

/** The member's own applications, newest first. */
export const useMyApplications = () =>
  useQuery<Answer<'/api/oauth/my-applications'>>({ queryKey: oauthKeys.mine, refetchOnMount: 'always' });

/** One of the member's own applications; null if there is no such application. */
export function useMyApplication(clientId: string) {
  const applications = useMyApplications();
  const own = applications.data?.find((each) => each.clientId === clientId);
  return { ...applications, application: applications.data === undefined ? undefined : (own ?? null) };
}

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: oauthKeys.mine });
}

export function useRegisterApplication() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: NewApplication) => api.post('/api/oauth/register-app', { body }),
    // The refetch is not awaited, because the secret is shown at once.
    onSuccess() {
      void refresh();
    },
    onError: (error) => errorToast('Creation Failed', error, 'The application was not created.'),
  });
}

export function useEditApplication(clientId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ApplicationEdit) => api.patch('/api/oauth/application/{clientId}', { path: { clientId }, body }),
    onSuccess(edited) {
      client.setQueryData<Application[]>(oauthKeys.mine, (all) =>
        all?.map((each) => (each.clientId === clientId ? edited : each)),
      );
    },
    onError: (error) => errorToast('Update Failed', error, 'The application was not changed.'),
  });
}

export function useRegenerateSecret() {
  return useMutation({
    mutationFn: (clientId: string) => api.post('/api/oauth/regenerate-secret', { body: { clientId } }),
    // A secret must not stay in the mutation cache once its dialog is closed.
    gcTime: 0,
    onError: (error) => errorToast('Regeneration Failed', error, 'The secret was not changed.'),
  });
}

export function useDeleteApplication() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ clientId }: Pick<Application, 'clientId' | 'name'>) =>
      ensureGone(api.delete('/api/oauth/application/{clientId}', { path: { clientId } })),
    onSuccess(_, { name }) {
      toast({ title: 'Application Deleted', description: `“${isolated(name)}” is gone.` });
      // Not awaited: the refetched list removes the component that asked for the deletion.
      void refresh();
    },
    onError: (error) => errorToast('Deletion Failed', error, 'The application was not deleted.'),
  });
}
