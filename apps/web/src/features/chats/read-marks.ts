import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { api, type Answer } from '@/shared/api';
import { type ChatMessage, useRealtimeEvent } from '@/shared/realtime';
import { chatKeys } from './chat-keys';
import { meIn } from './chat-sides';
import type { ChatSummary, ChatView } from './chat-types';

/** Keeps the list of chats current: which have something that the member has read on no device (rule chats-38). */
export function useUnreadChats(): void {
  const client = useQueryClient();
  useRealtimeEvent('new_message', ({ message: { chatId, createdAt } }) =>
    changeInList(client, chatId, (chat) => ({ ...chat, lastMessageAt: createdAt, isUnread: true })),
  );
  useRealtimeEvent('chat_read', ({ chatId, readThrough }) =>
    changeInList(client, chatId, (chat) => ({ ...chat, isUnread: (chat.lastMessageAt ?? '') > readThrough })),
  );
}

function changeInList(client: QueryClient, chatId: string, change: (chat: ChatSummary) => ChatSummary): void {
  client.setQueryData<Answer<'/api/chats/mine'>>(
    chatKeys.mine,
    (list) => list && { ...list, chats: list.chats.map((chat) => (chat.id === chatId ? change(chat) : chat)) },
  );
}

/** The first message of the other side that is newer than the mark, and than the member's own last one. */
export function firstUnreadOf(messages: readonly ChatMessage[], myId: string, readThrough: string): string | null {
  const afterOwn = messages.slice(messages.findLastIndex(({ senderId }) => senderId === myId) + 1);
  const unread = afterOwn.find(({ createdAt }) => createdAt > readThrough);
  return unread === undefined ? null : (unread.clientMessageId ?? unread.id);
}

/**
 * Tells the server what the member has seen of a chat, and marks what they have not: the key of the first message of the
 * other side that came while they did not look on any device, until they write themselves. What comes while they look
 * is no news.
 */
export function useUnreadMark(chat: ChatView): string | null {
  const myId = meIn(chat).id;
  const newest = chat.messages.at(-1)?.id;
  const [readThrough, setReadThrough] = useState(chat.readThrough ?? '');
  const first = firstUnreadOf(chat.messages, myId, readThrough);
  useRealtimeEvent('new_message', ({ message: { chatId, createdAt } }) => {
    if (chatId === chat.id && !document.hidden && first === null) setReadThrough(createdAt);
  });
  useRealtimeEvent('chat_read', (read) => {
    if (read.chatId === chat.id && document.hidden) setReadThrough(read.readThrough);
  });
  const { mutate } = useMutation({
    mutationFn: (messageId: string) => api.post('/api/chats/{id}/read', { path: { id: chat.id }, body: { messageId } }),
  });
  const tell = useEffectEvent((messageId: string | undefined) => {
    if (!document.hidden && messageId !== undefined) mutate(messageId);
  });
  useEffect(() => {
    tell(newest);
    const onVisible = () => tell(newest);
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [newest]);
  return first;
}
