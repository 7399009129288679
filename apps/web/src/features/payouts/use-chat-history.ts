import { chatKeys, type ChatParty } from '@/features/chats';
import { useCursorPages } from '@/shared/api';

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

/** My finished chats, the newest first. */
export const useChatHistory = () =>
  useCursorPages<HistoryPage>({ queryKey: chatKeys.history, path: '/api/chats/completed-history' });
