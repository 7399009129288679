import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { refreshAroundChats } from '@/features/chats';
import { useRealtimeEvent } from '@/shared/realtime';
import { toast } from '@/shared/ui';

/** S0 §9: so long after the acceptance, the initiator is taken to the chat. */
const REDIRECT_MS = 1_000;

/** What a member hears of wherever they are (S0 §8): accepted and new requests, nudges, a connection that fails. */
export function LiveNotices() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { pathname } = useLocation();
  const redirect = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(redirect.current), []);

  useRealtimeEvent('chat_accepted', ({ chatId, message }) => {
    void refreshAroundChats(client);
    toast({ title: 'Chat Accepted!', description: message || 'Your chat request was accepted!' });
    clearTimeout(redirect.current);
    redirect.current = setTimeout(() => void navigate(`/chat/${chatId}`), REDIRECT_MS);
  });
  useRealtimeEvent('chat_requested', ({ message }) => {
    void refreshAroundChats(client);
    toast({ title: 'Chat request', description: `${message} Answer it under Status.` });
  });
  useRealtimeEvent('chat_nudged', ({ chatId, message }) => {
    if (pathname.endsWith(chatId)) return;
    toast({ title: 'Nudge', description: message });
  });
  useRealtimeEvent('chat_updated', () => void refreshAroundChats(client));
  useRealtimeEvent('chat_terminated', () => void refreshAroundChats(client));
  useRealtimeEvent('error', (frame) => {
    // What concerns one chat or one message is said there.
    if (frame.chatId !== undefined || frame.clientMessageId !== undefined) return;
    toast({
      title: 'Connection Error',
      description: frame.message || 'WebSocket connection failed',
      variant: 'destructive',
    });
  });
  return null;
}
