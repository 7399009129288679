import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { api, type Answer } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

type TestMode = Answer<'/api/oauth/application/{clientId}/test-mode'>;

export const useTestMode = (clientId: string) =>
  useQuery<TestMode>({ queryKey: oauthKeys.testMode(clientId), refetchOnMount: 'always' });

export function useMakeTestSecret(clientId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post('/api/oauth/application/{clientId}/test-mode/secret', { path: { clientId } }),
    // A secret must not stay in the mutation cache once its dialog is closed.
    gcTime: 0,
    onSuccess() {
      void client.invalidateQueries({ queryKey: oauthKeys.testMode(clientId) });
    },
    onError: (error) => errorToast('Generation Failed', error, 'No test secret was made.'),
  });
}

export function useResetTestData(clientId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post('/api/oauth/application/{clientId}/test-mode/reset', { path: { clientId } }),
    onSuccess(mode) {
      client.setQueryData<TestMode>(oauthKeys.testMode(clientId), mode);
      toast({ title: 'Test Data Reset', description: 'The test members are new ones. Sign them in again.' });
    },
    onError: (error) => errorToast('Reset Failed', error, 'The test data was not reset.'),
  });
}
