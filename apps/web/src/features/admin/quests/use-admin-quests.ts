import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiFetch, queryKeys, useActionKey, type Pagination } from '@/shared/api';
import type { Quest } from '../../quests/quest-types';
import type { NewQuest } from './quest-schema';
import type { QuestSort } from './use-quest-sort';

const QUEST_PAGE_SIZE = 10;
export type QuestStatus = Quest['status'];

/** A quest as admins see it: what became of it. */
export interface AdminQuest extends Quest {
  createdAt: string;
  createdBy: string;
  underWay: number;
  completed: number;
  claimed: number;
  novaPaid: number;
}

export interface AdminQuestPage {
  quests: AdminQuest[];
  pagination: Pagination;
}

/** Which quests are shown: an empty status is all of them. */
export interface QuestView {
  status: string;
  sort: QuestSort;
  page: number;
}

export const useAdminQuests = ({ status, sort, page }: QuestView) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'quests', { status, sort, page }],
    queryFn({ signal }) {
      const query = new URLSearchParams({
        sort: sort.id,
        order: sort.desc ? 'desc' : 'asc',
        page: String(page),
        limit: String(QUEST_PAGE_SIZE),
      });
      if (status !== '') query.set('status', status);
      return apiFetch<AdminQuestPage>(`/api/admin/quests?${query}`, { signal });
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** Makes a quest, once however often it is tried. */
export function useCreateQuest() {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: (body: NewQuest) =>
      apiFetch<AdminQuest>('/api/admin/quests', { method: 'POST', body, idempotencyKey: key.keyFor(body) }),
    onSuccess: () => key.done(),
    onSettled() {
      for (const queryKey of [queryKeys.admin, queryKeys.quests]) void client.invalidateQueries({ queryKey });
    },
  });
}
