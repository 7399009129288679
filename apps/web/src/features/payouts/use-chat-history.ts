import { useInfiniteQuery } from '@tanstack/react-query';
import { chatKeys, type ChatParty } from '@/features/chats';
import { apiFetch } from '@/shared/api';

/** A chat whose reward for me was released (S1 §3 Completed chat history item). */
export interface CompletedChat {
  chatId: string;
  otherUser: ChatParty;
  completedAt: string;
  novaEarned: number;
  influencePointsEarned: number;
  isInitiator: boolean;
  exchangeCount: number;
  myRating: number | null;
  theirRating: number | null;
  totalCharacters: number;
}

interface HistoryPage {
  chatHistories: CompletedChat[];
  nextCursor: string | null;
}

const PAGE_SIZE = 20;

/** My finished chats, the newest first. */
export const useChatHistory = () =>
  useInfiniteQuery({
    queryKey: chatKeys.history,
    queryFn({ pageParam, signal }) {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
      if (pageParam !== null) query.set('cursor', pageParam);
      return apiFetch<HistoryPage>(`/api/chats/completed-history?${query}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
  });
