import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, type Schemas } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

export type Rebuild = Schemas['RebuildDto'];

/** A table that is built from the journal. */
export type ReadModel = Schemas['ReadModelDto'];

/** Polls fast, because an admin who looks at the list is waiting for a change. */
const POLL_MS = 2_000;

const key = [...queryKeys.admin, 'read-models'];

export const useReadModels = () =>
  useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get('/api/admin/read-models', { signal }),
    refetchInterval: POLL_MS,
    refetchOnMount: 'always',
  });

export function useRebuild() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.post('/api/admin/read-models/{name}/rebuild', { path: { name }, body: {} }),
    onSuccess: ({ message }) => toast({ title: 'Rebuild Requested', description: message }),
    onError: (error) => errorToast('Error', error, 'Failed to request the rebuild'),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
}
