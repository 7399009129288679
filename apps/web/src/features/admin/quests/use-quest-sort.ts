import { useAddressParameters } from '@/shared/hooks/use-address-parameters';

/** What the server can sort quests by; also the ids of the columns. */
const QUEST_SORTS = ['created', 'starts', 'reward', 'underWay', 'completed', 'claimed', 'paid'] as const;

export interface QuestSort {
  id: (typeof QUEST_SORTS)[number];
  desc: boolean;
}

const [SORT, ORDER, PAGE] = ['sort', 'order', 'page'];

/**
 * The order of the quests, kept in the address; the default, newest first, is left out. A new order starts at the first
 * page.
 */
export function useQuestSort(): [sort: QuestSort, setSort: (sort: { id: string; desc: boolean }) => void] {
  const [parameters, changeAddress] = useAddressParameters();
  const id = QUEST_SORTS.find((name) => name === parameters.get(SORT)) ?? 'created';
  const setSort = (sort: { id: string; desc: boolean }) =>
    changeAddress((address) => {
      for (const name of [SORT, ORDER, PAGE]) address.delete(name);
      if (sort.id !== 'created') address.set(SORT, sort.id);
      if (!sort.desc) address.set(ORDER, 'asc');
    });
  return [{ id, desc: parameters.get(ORDER) !== 'asc' }, setSort];
}
