import { useEffect, useEffectEvent, useState } from 'react';
import { storeValue, useStoredValue } from '@/shared/hooks/use-stored-value';
import { type ChatMessage, useRealtimeEvent } from '@/shared/realtime';
import { meIn } from './chat-sides';
import type { ChatSummary, ChatView } from './chat-types';

/** How far the member has read, by chat: when its newest message that they saw was written (ISO 8601). */
type ReadMarks = Readonly<Record<string, string>>;

/** A device remembers the chats that were read last. */
const CHATS_MAX = 100;

const keyOf = (memberId: string): string => `nova.read.${memberId}`;

export function parseMarks(stored: string | null): ReadMarks {
  try {
    const marks: unknown = JSON.parse(stored ?? '{}');
    return typeof marks === 'object' && marks !== null ? (marks as ReadMarks) : {};
  } catch {
    return {};
  }
}

/** The marks with this one, which never goes back; the chats that were read last are kept. */
export function withMark(marks: ReadMarks, chatId: string, readThrough: string): ReadMarks {
  const { [chatId]: before = '', ...others } = marks;
  const kept = Object.entries(others).slice(1 - CHATS_MAX);
  return { ...Object.fromEntries(kept), [chatId]: before > readThrough ? before : readThrough };
}

/** Whether something was said in the chat since the member looked at it on this device. */
export function useIsUnread({ id, lastMessageAt }: ChatSummary, memberId: string): boolean {
  const [stored] = useStoredValue(keyOf(memberId));
  return lastMessageAt !== null && lastMessageAt > (parseMarks(stored)[id] ?? '');
}

/** The first message of the other side that is newer than the mark, and than the member's own last one. */
export function firstUnreadOf(messages: readonly ChatMessage[], myId: string, readThrough: string): string | null {
  const afterOwn = messages.slice(messages.findLastIndex(({ senderId }) => senderId === myId) + 1);
  const unread = afterOwn.find(({ createdAt }) => createdAt > readThrough);
  return unread === undefined ? null : (unread.clientMessageId ?? unread.id);
}

/**
 * Remembers what the member has seen of a chat, and marks what they have not: the key of the first message of the other
 * side that came while they did not look, until they write themselves. What comes while they look is no news.
 */
export function useUnreadMark(chat: ChatView): string | null {
  const myId = meIn(chat).id;
  const [stored] = useStoredValue(keyOf(myId));
  const newest = chat.messages.at(-1)?.createdAt ?? '';
  const [readThrough, setReadThrough] = useState(() => parseMarks(stored)[chat.id] ?? newest);
  const first = firstUnreadOf(chat.messages, myId, readThrough);
  useRealtimeEvent('new_message', ({ message: { chatId, createdAt } }) => {
    if (chatId === chat.id && !document.hidden && first === null) setReadThrough(createdAt);
  });
  const remember = useEffectEvent((seen: string) => {
    if (document.hidden || seen === '') return;
    storeValue(keyOf(myId), JSON.stringify(withMark(parseMarks(stored), chat.id, seen)));
  });
  useEffect(() => {
    remember(newest);
    const onVisible = () => remember(newest);
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [newest]);
  return first;
}
