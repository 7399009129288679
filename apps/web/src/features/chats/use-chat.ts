import { useQuery, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, hasStatus, moneyKeys } from '@/shared/api';
import { useRealtime, useRealtimeEvent, type Realtime, type ServerFrames } from '@/shared/realtime';
import { chatKeys } from './chat-keys';
import type { ChatView } from './chat-types';

/** The socket brings events; this interval catches those it may have missed (rule chats-34). */
const REFETCH_MS = 30_000;

type Said = ServerFrames['new_message'];

/** Reads the chat, and adds the messages that arrived while it was on its way; null if the member has no such chat. */
export async function readChat(
  chatId: string,
  { on, signal }: Pick<Realtime, 'on'> & { signal: AbortSignal },
): Promise<ChatView | null> {
  const heard: Said[] = [];
  const stop = on('new_message', (said) => {
    if (said.message.chatId === chatId) heard.push(said);
  });
  try {
    const chat = await api.get('/api/chats/{id}', { path: { id: chatId }, signal });
    return heard.reduce(withMessage, chat);
  } catch (error) {
    if (hasStatus(error, 404)) return null;
    throw error;
  } finally {
    stop();
  }
}

/** One of the member's chats, kept current by the live connection; `data` is null if the member has no such chat. */
export function useChat(chatId: string) {
  const client = useQueryClient();
  const { on } = useRealtime();
  const query = useQuery({
    queryKey: chatKeys.chat(chatId),
    queryFn: ({ signal }) => readChat(chatId, { on, signal }),
    refetchInterval: REFETCH_MS,
    refetchOnMount: 'always',
  });
  const refetch = useCallback(
    (frame: { chatId: string }) => {
      if (frame.chatId === chatId) void client.invalidateQueries({ queryKey: chatKeys.chat(chatId) });
    },
    [client, chatId],
  );
  useRealtimeEvent('new_message', (said) => {
    if (said.message.chatId !== chatId) return;
    client.setQueryData<ChatView | null>(chatKeys.chat(chatId), (chat) => chat && withMessage(chat, said));
    if (said.exchangeProgress.isSuccessful) refetch({ chatId });
  });
  useRealtimeEvent('chat_accepted', refetch);
  useRealtimeEvent('chat_updated', refetch);
  useRealtimeEvent('chat_terminated', refetch);
  useRealtimeEvent('chat_ended', refetch);
  return query;
}

/** Counts a message once, however often it arrives; progress never goes back. */
export function withMessage(chat: ChatView, { message, exchangeProgress: progress }: Said): ChatView {
  const isKnown = chat.messages.some(({ id }) => id === message.id);
  const isNewer = progress.totalCharacters >= chat.totalCharacterCount;
  return {
    ...chat,
    messages: isKnown ? chat.messages : [...chat.messages, message],
    ...(isNewer && {
      exchangeCount: progress.exchangeCount,
      totalCharacterCount: progress.totalCharacters,
      percentage: progress.percentage,
      isSuccessful: progress.isSuccessful,
    }),
  };
}

/** Queries that show the member's balance or how it came about. */
const balanceKeys = [...moneyKeys, chatKeys.dashboard, chatKeys.novaBreakdown];

/** Refetches the balances that are on the screen. */
export const refreshBalances = (client: QueryClient): Promise<unknown> => refresh(client, balanceKeys);

/** Refetches what the chat's money and ratings change elsewhere (rule chats-34). */
export function refreshAroundChats(client: QueryClient): Promise<unknown> {
  const keys = [
    ...balanceKeys,
    chatKeys.pendingRatings,
    chatKeys.pendingRequests,
    chatKeys.inboundPriority,
    chatKeys.mine,
    chatKeys.history,
  ];
  return refresh(client, keys);
}

const refresh = (client: QueryClient, keys: readonly QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
