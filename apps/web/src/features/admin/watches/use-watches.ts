import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, type Schemas } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

/** A watched balance. */
export type Watch = Schemas['WatchDto'];

const watchesQuery = {
  queryKey: [...queryKeys.admin, 'watches'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.get('/api/admin/watches', { signal }),
  refetchInterval: 60_000,
};

export const useWatches = () => useQuery({ ...watchesQuery, refetchOnMount: 'always' });

/** How many balances are beyond their limit; 0 until that is known. */
export const useBeyondCount = (): number => useQuery(watchesQuery).data?.beyond ?? 0;

export function useRemoveWatch(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete('/api/admin/watches/{id}', { path: { id } }),
    onSuccess: () => toast({ title: 'Watch Removed' }),
    onError: (error) => errorToast('Error', error, 'Failed to remove the watch'),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}
