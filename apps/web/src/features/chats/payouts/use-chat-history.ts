import { chatKeys } from '@/features/chats';
import { api, useCursorPages, type Schemas } from '@/shared/api';

/** A chat whose reward for me was released. */
export type CompletedChat = Schemas['ChatHistoryItemDto'];

/** My finished chats, the newest first. */
export const useChatHistory = () =>
  useCursorPages(chatKeys.history, (page) => api.get('/api/chats/completed-history', page));
