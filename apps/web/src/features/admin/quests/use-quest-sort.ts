import { useSearchParams } from 'react-router-dom';

/** What the server can sort quests by; the columns' ids. */
export const QUEST_SORTS = ['created', 'starts', 'reward', 'underWay', 'completed', 'claimed', 'paid'] as const;

export interface QuestSort {
  id: (typeof QUEST_SORTS)[number];
  desc: boolean;
}

const [SORT, ORDER, PAGE] = ['sort', 'order', 'page'];

/** How the quests are sorted, kept in the address; newest first is not written. Another order begins at its first page. */
export function useQuestSort(): [sort: QuestSort, setSort: (sort: { id: string; desc: boolean }) => void] {
  const [parameters, setParameters] = useSearchParams();
  const id = QUEST_SORTS.find((name) => name === parameters.get(SORT)) ?? 'created';
  const setSort = (sort: { id: string; desc: boolean }) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        for (const name of [SORT, ORDER, PAGE]) next.delete(name);
        if (sort.id !== 'created') next.set(SORT, sort.id);
        if (!sort.desc) next.set(ORDER, 'asc');
        return next;
      },
      { replace: true },
    );
  return [{ id, desc: parameters.get(ORDER) !== 'asc' }, setSort];
}
