import { isolated } from '@app/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { chatKeys, refreshAroundChats, refreshBalances } from '@/features/chats';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { sayAmount } from '@/shared/api';
import { useFailedMessage, useIsChatShown, useRealtime, useRealtimeEvent } from '@/shared/realtime';
import { failureToast, toast } from '@/shared/ui';
import { refreshNotices } from './use-notices';
import { isChatPage } from './chat-page-path';

/** This long after the acceptance, the initiator is taken to the chat (rule chats-32). */
const REDIRECT_MS = 1_000;

/** A chat's money moves right after the chat's own event, so an immediate fetch may still show the state before it. */
const SETTLED_AFTER_MS = [2_000, 8_000];

/** A page connects within this time after loading, and then fetches nothing twice. */
const SILENCE_MS = 500;

/**
 * Tells a member on every page (rule realtime-17): accepted and new requests, nudges, money, and failures of messages
 * and the connection.
 */
export function LiveNotices() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { pathname } = useLocation();
  const isShown = useIsChatShown();
  const goToChat = useDelayedChat(pathname);
  const refresh = () => void refreshAroundChats(client);
  useAfterSilence(() => {
    refresh();
    void refreshNotices(client);
    void client.invalidateQueries({ queryKey: chatKeys.chats });
  });

  useRealtimeEvent('chat_accepted', ({ chatId, message }) => {
    refresh();
    // The chat itself opens before the eyes of who looks at it.
    if (isShown(chatId) && !document.hidden) return;
    toast({ title: 'Chat Accepted!', description: message || 'Your chat request was accepted!' });
    goToChat(chatId);
  });
  useRealtimeEvent('chat_requested', ({ message }) => {
    refresh();
    toast({
      title: 'Chat request',
      description: message,
      action: { label: 'Show it', onClick: () => void navigate('/?tab=status') },
    });
  });
  useRealtimeEvent('chat_nudged', ({ chatId, message }) => {
    const action = { label: 'Open the chat', onClick: () => void navigate(`/chat/${chatId}`) };
    toast({ title: 'Nudge', description: message, ...(!isChatPage(pathname, chatId) && { action }) });
  });
  const refreshAsItSettles = useNowAndLater(refresh);
  useRealtimeEvent('chat_updated', refreshAsItSettles);
  useRealtimeEvent('chat_terminated', refreshAsItSettles);
  useRealtimeEvent('balance_changed', () => {
    void refreshBalances(client);
    void client.invalidateQueries({ queryKey: oauthKeys.used });
  });
  useRealtimeEvent('gift_received', ({ senderName, amount, recipientShare }) => {
    const action = { label: 'Show it', onClick: () => void navigate('/gifts') };
    toast({
      title: 'Gift received',
      description: `${isolated(senderName)} sent you a gift of ${sayAmount(amount)}: ${sayAmount(recipientShare)} are yours.`,
      ...(pathname !== '/gifts' && { action }),
    });
  });
  useFailedMessage((sentence) => failureToast('Failed to send message', sentence || 'Please try again'));
  useRealtimeEvent('error', ({ clientMessageId, code, message }) => {
    // A failed message is reported elsewhere; a signal that crossed the end of its call has nowhere to go.
    if (clientMessageId !== undefined || code === 'VIDEO_NOT_FOUND') return;
    failureToast('Connection Error', message || 'WebSocket connection failed');
  });
  return null;
}

/** Takes the member to a chat after the delay, unless they have been there by then. */
function useDelayedChat(pathname: string): (chatId: string) => void {
  const navigate = useNavigate();
  const going = useRef<{ chatId: string; timer: ReturnType<typeof setTimeout> }>(undefined);
  useEffect(() => {
    if (going.current && isChatPage(pathname, going.current.chatId)) clearTimeout(going.current.timer);
  }, [pathname]);
  useEffect(() => () => clearTimeout(going.current?.timer), []);
  return (chatId) => {
    clearTimeout(going.current?.timer);
    if (isChatPage(pathname, chatId)) return;
    going.current = { chatId, timer: setTimeout(() => void navigate(`/chat/${chatId}`), REDIRECT_MS) };
  };
}

/** Calls at once, and again after each delay since the last time. */
function useNowAndLater(call: () => void): () => void {
  const timers = useRef<readonly ReturnType<typeof setTimeout>[]>([]);
  useEffect(() => () => forget(timers.current), []);
  return () => {
    forget(timers.current);
    call();
    timers.current = SETTLED_AFTER_MS.map((delay) => setTimeout(call, delay));
  };
}

function forget(timers: readonly ReturnType<typeof setTimeout>[]): void {
  for (const timer of timers) clearTimeout(timer);
}

/**
 * Without a connection nothing was heard, be it before the first one or after a loss: refetch what the connection may
 * have reported.
 */
function useAfterSilence(refresh: () => void): void {
  const { status } = useRealtime();
  const silentSince = useRef<number>(undefined);
  const catchUp = useEffectEvent(refresh);
  useEffect(() => {
    if (status !== 'connected') {
      silentSince.current ??= performance.now();
      return;
    }
    if (silentSince.current !== undefined && performance.now() - silentSince.current > SILENCE_MS) catchUp();
    silentSince.current = undefined;
  }, [status]);
}
