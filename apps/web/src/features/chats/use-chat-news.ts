import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { useRealtimeEvent } from '@/shared/realtime';
import { failureToast, toast } from '@/shared/ui';
import { newsOf } from './chat-news';
import type { ChatStatus, ChatView } from './chat-types';
import { whyTerminated } from './how-it-ended';

/** So long after the other side terminated, the page leaves (rule chats-33). */
const LEAVE_AFTER_TERMINATION_MS = 2_000;

/**
 * Tells what the other side does to the chat on the screen, be it heard at once or found out later, after a lost connection.
 * When they terminate it, a toast, and after two seconds the feed (rule chats-33).
 *
 * @param isFresh false while the chat is shown as it was when it was last on the screen: what came since is no news
 */
export function useChatNews(chat: ChatView, isFresh: boolean): void {
  const navigate = useNavigate();
  const before = useRef<ChatStatus>(undefined);
  const isAcceptanceTold = useRef(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Whoever hears of it at once is told wherever they are.
  useRealtimeEvent('chat_accepted', ({ chatId }) => {
    if (chatId === chat.id) isAcceptanceTold.current = true;
  });
  const tellSince = useEffectEvent((status: ChatStatus) => {
    const news = newsOf(status, chat);
    if (news === 'accepted' && !isAcceptanceTold.current) {
      toast({ title: 'Chat Accepted!', description: 'Your chat request was accepted!' });
    }
    if (news !== 'terminated') return;
    failureToast('Chat Terminated', `${whyTerminated(chat)}.`);
    leaving.current = setTimeout(() => void navigate('/feed'), LEAVE_AFTER_TERMINATION_MS);
  });
  useEffect(() => {
    if (!isFresh) return;
    if (before.current !== undefined) tellSince(before.current);
    before.current = chat.status;
  }, [chat.status, isFresh]);
  useEffect(() => () => clearTimeout(leaving.current), []);
}
