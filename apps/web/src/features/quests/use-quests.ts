import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, refreshMoney, useActionKey } from '@/shared/api';
import type { QuestProgress } from './quest-types';

/** How often quests and progress are refetched (rule quests-11). */
const QUESTS_POLL_MS = 30_000;
const PROGRESS_POLL_MS = 10_000;

export const useQuests = () =>
  useQuery({
    queryKey: queryKeys.quests,
    queryFn: ({ signal }) => api.get('/api/quests', { signal }),
    // Admins also receive the scheduled quests; this page shows only quests that can be done.
    select: ({ quests }) => quests.filter(({ status }) => status !== 'scheduled'),
    refetchInterval: QUESTS_POLL_MS,
    refetchOnMount: 'always',
  });

export const useQuestProgress = () =>
  useQuery({
    queryKey: queryKeys.questProgress,
    queryFn: ({ signal }) => api.get('/api/quests/progress', { signal }),
    select: ({ progress }) => progress,
    refetchInterval: PROGRESS_POLL_MS,
    refetchOnMount: 'always',
  });

/** Claims a reward once, however often it is retried: a claim has a single key. */
export function useClaimReward(questId: string) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: () =>
      api.post('/api/quests/{id}/claim', {
        path: { id: questId },
        idempotencyKey: key.keyFor(questId),
      }),
    onSuccess() {
      client.setQueryData<{ progress: QuestProgress[] }>(
        queryKeys.questProgress,
        (before) =>
          before && {
            progress: before.progress.map((entry) =>
              entry.questId === questId ? { ...entry, rewardClaimed: true } : entry,
            ),
          },
      );
    },
    onSettled(claimed) {
      refreshMoney(client, claimed);
      void client.invalidateQueries({ queryKey: queryKeys.quests });
    },
  });
}
