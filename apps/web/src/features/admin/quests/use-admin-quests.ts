import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { apiFetch, queryKeys, useActionKey, type Pagination } from '@/shared/api';
import type { Quest } from '../../quests/quest-types';
import type { NewQuest } from './quest-schema';

export const QUEST_PAGE_SIZE = 10;
const STATUSES = ['active', 'scheduled', 'expired'] as const;
export type QuestStatus = (typeof STATUSES)[number];

/** A quest as admins see it: what became of it. */
export interface AdminQuest extends Quest {
  createdAt: string;
  createdBy: string;
  underWay: number;
  completed: number;
  claimed: number;
  novaPaid: number;
}

const [STATUS, PAGE] = ['questStatus', 'questPage'];

/** Which quests are shown, kept in the address. */
export function useQuestView() {
  const [parameters, setParameters] = useSearchParams();
  const status: QuestStatus | '' = STATUSES.find((name) => name === parameters.get(STATUS)) ?? '';
  const page = Math.max(1, Math.trunc(Number(parameters.get(PAGE))) || 1);
  const change = (name: string, value: string) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete(PAGE);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return {
    status,
    page,
    choose: (value: string) => change(STATUS, value),
    goTo: (to: number) => change(PAGE, to > 1 ? String(to) : ''),
  };
}

export const useAdminQuests = ({ status, page }: { status: QuestStatus | ''; page: number }) =>
  useQuery({
    queryKey: queryKeys.adminQuests(status, page),
    queryFn({ signal }) {
      const query = new URLSearchParams({ page: String(page), limit: String(QUEST_PAGE_SIZE) });
      if (status !== '') query.set('status', status);
      return apiFetch<{ quests: AdminQuest[]; pagination: Pagination }>(`/api/admin/quests?${query}`, { signal });
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
