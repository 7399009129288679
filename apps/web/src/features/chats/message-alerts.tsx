import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { api, useCurrentUser } from '@/shared/api';
import { useIsChatShown, useRealtimeEvent } from '@/shared/realtime';
import { playSound, useSounds } from '@/shared/sounds';
import { cappedAt, toast, useTitleBadge } from '@/shared/ui';
import { chatKeys } from './chat-keys';
import { useUnreadChats } from './read-marks';

/** A toast shows so much of a message. */
const SHOWN_MAX = 120;

type Unseen = ReadonlyMap<string, number>;

/**
 * Tells of messages in chats that the member is not looking at: a sound, if they want it, the number before the page's
 * title, and a toast that leads there, until they are read on any of the member's devices (rule chats-38).
 */
export function MessageAlerts() {
  const { data: user } = useCurrentUser();
  const client = useQueryClient();
  const navigate = useNavigate();
  const isShown = useIsChatShown();
  const [hasSounds] = useSounds();
  const [unseen, setUnseen] = useState<Unseen>(new Map());
  const isSeen = (chatId: string) => !document.hidden && isShown(chatId);
  const look = () =>
    setUnseen((known) => (known.size === 0 ? known : new Map([...known].filter(([id]) => !isSeen(id)))));

  useTitleBadge([...unseen.values()].reduce((sum, count) => sum + count, 0));
  useRealtimeEvent('new_message', ({ message: { chatId, senderId, text } }) => {
    if (senderId === user?.id || isSeen(chatId)) return;
    setUnseen((known) => new Map(known).set(chatId, (known.get(chatId) ?? 0) + 1));
    if (hasSounds) playSound('message');
    if (document.hidden || isShown(chatId)) return;
    void client
      .fetchQuery({ queryKey: chatKeys.mine, queryFn: () => api.get('/api/chats/mine'), staleTime: Infinity })
      .then(({ chats }) => chats.find(({ id }) => id === chatId)?.otherUser.displayName)
      .catch(() => undefined)
      .then((name) =>
        toast({
          title: name ?? 'New message',
          description: cappedAt(text, SHOWN_MAX),
          action: { label: 'Open the chat', onClick: () => void navigate(`/chat/${chatId}`) },
        }),
      );
  });
  useRealtimeEvent('chat_read', ({ chatId }) =>
    setUnseen((known) => (known.has(chatId) ? new Map([...known].filter(([id]) => id !== chatId)) : known)),
  );
  useUnreadChats();
  useRealtimeEvent('joined', look);
  useEffect(() => {
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  });
  return null;
}
