import { type ChatCounts, type ChatEvent, type ChatMessageSent, chatProgress, isolated, isSuccess } from '@app/domain';
import { toMessageView } from '../chats/chat-messages.js';
import type { MessageText } from '../chats/chat-texts.js';
import type { Payload } from './live-socket.js';

/** A message for sockets about an event of a chat, and its recipients. */
export interface Announcement {
  readonly to: readonly string[];
  readonly type: string;
  readonly payload: Payload;
}

/** The chat's progress, including the event (rule chats-14). */
export function exchangeProgress(counts: ChatCounts): Payload {
  const { exchanges, totalCharacters } = counts;
  return {
    exchangeCount: exchanges,
    totalCharacters,
    percentage: Math.floor(chatProgress(counts) * 100),
    isSuccessful: isSuccess(counts),
  };
}

/** `new_message`; a text that was erased is empty. */
export function newMessage(event: ChatMessageSent, stored: MessageText | undefined): Payload {
  const { messageId: id, chatId, senderId } = event;
  const createdAt = stored?.createdAt ?? new Date(event.at);
  const erased = { id, chatId, senderId, clientMessageId: null, text: '', createdAt };
  return { message: toMessageView(stored ?? erased), exchangeProgress: exchangeProgress(event) };
}

/** All announcements of an event except `new_message`, in the order in which they are sent (rule realtime-7). */
export function announcementsOf(event: ChatEvent, nameOf: (memberId: string) => string): readonly Announcement[] {
  const { chatId, initiatorId, hostId } = event;
  const both = [initiatorId, hostId];
  const say = (type: string, payload: Payload, to: readonly string[] = both): Announcement => ({
    to,
    type,
    payload: { chatId, ...payload },
  });
  const updated = (status: string): Announcement => say('chat_updated', { status });
  const ended = (status: string): Announcement[] => [say('chat_ended', { status }), updated(status)];
  switch (event.type) {
    case 'ChatRequested':
      return [
        say('chat_requested', { message: `${isolated(nameOf(initiatorId))} would like to chat with you.` }, [hostId]),
        updated('requested'),
      ];
    case 'ChatAccepted':
      return [say('chat_accepted', { message: 'Your chat request was accepted!' }, [initiatorId]), updated('active')];
    case 'ChatDeclined':
      return ended('declined');
    case 'ChatRequestExpired':
    case 'ChatRequestAbandoned':
      return ended('expired');
    case 'ChatSucceeded':
      return ended('successful');
    case 'ChatTerminated':
      return [
        say('chat_terminated', { terminatedBy: event.by === 'host' ? hostId : initiatorId }),
        updated('terminated'),
      ];
    case 'ChatNudged': {
      const [from, to] = event.side === 'host' ? [hostId, initiatorId] : [initiatorId, hostId];
      return [say('chat_nudged', { message: `${isolated(nameOf(from))} is waiting for you.` }, [to])];
    }
    case 'ChatRated':
      return [updated('rated')];
    case 'ChatCompleted':
      return [updated('completed')];
    case 'ChatMessageSent':
    case 'ChatVerified':
      return [];
  }
}
