import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiFetch, queryKeys } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

export interface Rebuild {
  phase: 'reading' | 'indexing' | 'comparing' | 'swapping' | 'done' | 'differs' | 'failed' | 'interrupted';
  eventsDone: number;
  eventsTotal: number;
  beganAt: string;
  updatedAt: string;
  /** What became of it; empty while it runs. */
  outcome: string;
}

/** A table that is made from the journal. */
export interface ReadModel {
  name: string;
  state: 'live' | 'rebuilding' | 'failing' | 'standby';
  lagEvents: number;
  isOfOtherVersion: boolean;
  error: string | null;
  lastRebuild: Rebuild | null;
}

const PATH = '/api/admin/read-models';
/** Whoever looks at the list waits for something of it. */
const POLL_MS = 2_000;

const key = [...queryKeys.admin, 'read-models'];

export const useReadModels = () =>
  useQuery({
    queryKey: key,
    queryFn: ({ signal }) => apiFetch<{ models: ReadModel[] }>(PATH, { signal }),
    refetchInterval: POLL_MS,
    refetchOnMount: 'always',
  });

export function useRebuild() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      apiFetch<{ message: string }>(`${PATH}/${name}/rebuild`, { method: 'POST', body: {} }),
    onSuccess: ({ message }) => toast({ title: 'Rebuild Requested', description: message }),
    onError: (error) => errorToast('Error', error, 'Failed to request the rebuild'),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
}
