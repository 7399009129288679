import type { ResonanceHorizon } from '@app/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, hasStatus } from '@/shared/api';
import { failureToast, toast } from '@/shared/ui';
import type { Resonance, ResonanceDraft } from './resonance-draft';

const resonanceKey = ['/api/resonance'] as const;

/** Queries that show the member's profile or who fits them. */
const AFTER_SAVING = ['/api/profile', '/api/discovery'];

/** The member's Resonance profile; null before it was first saved (rule resonance-5). Each visit fetches it again. */
export const useResonance = () =>
  useQuery({
    queryKey: resonanceKey,
    gcTime: 0,
    async queryFn({ signal }): Promise<Resonance | null> {
      try {
        return await api.get('/api/resonance', { signal });
      } catch (error) {
        if (hasStatus(error, 404)) return null;
        throw error;
      }
    },
  });

/** Saves the whole profile; on success, refetches the profile data (rule resonance-7). */
export function useSaveResonance() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ scores, ...rest }: ResonanceDraft & { horizon: ResonanceHorizon }) =>
      api.post('/api/resonance', { body: { ...rest, ...scores } }),
    onSuccess(saved) {
      client.setQueryData<Resonance | null>(resonanceKey, saved);
      toast({ title: 'Success', description: 'Your Resonance profile has been saved' });
      void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isAfterSaving(path) });
    },
    onError: () => failureToast('Error', 'Failed to save Resonance profile'),
  });
}

const isAfterSaving = (path: unknown): boolean =>
  typeof path === 'string' && AFTER_SAVING.some((start) => path.startsWith(start));
