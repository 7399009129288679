import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, useActionKey, type Answer, type Query, type Schemas } from '@/shared/api';
import type { QuestSort } from './use-quest-sort';
import { toQuery } from '../use-address-filters';

const QUEST_PAGE_SIZE = 10;
export type QuestStatus = AdminQuest['status'];

/** A quest as admins see it, with its outcome. */
export type AdminQuest = Schemas['AdminQuestDto'];

export type AdminQuestPage = Answer<'/api/admin/quests'>;

/** Which quests are shown; an empty status means all. */
export interface QuestView {
  status: string;
  sort: QuestSort;
  page: number;
}

export const useAdminQuests = ({ status, sort, page }: QuestView) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'quests', { status, sort, page }],
    queryFn({ signal }) {
      const asked = toQuery<Query<'/api/admin/quests'>>({ status, sort: sort.id, order: sort.desc ? 'desc' : 'asc' });
      return api.get('/api/admin/quests', { query: { ...asked, page, limit: QUEST_PAGE_SIZE }, signal });
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** Creates a quest once, however often the request is retried. */
export function useCreateQuest() {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: (body: Schemas['NewQuestDto']) =>
      api.post('/api/admin/quests', { body, idempotencyKey: key.keyFor(body) }),
    onSuccess: () => key.done(),
    onSettled() {
      for (const queryKey of [queryKeys.admin, queryKeys.quests]) void client.invalidateQueries({ queryKey });
    },
  });
}
