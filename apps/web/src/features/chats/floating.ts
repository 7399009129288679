import type { ChatMessage, OutgoingMessage } from '@/shared/realtime';

/** So many a side at most are shown floating (rule chats-29). */
const FLOATING_MAX = 16;

/** A message of either side as the screen shows it, mine also before the server has it. */
export interface ShownMessage {
  /** The same before and after the server has it, so that nothing jumps. */
  key: string;
  text: string;
  senderId: string;
  createdAt: string;
  state: 'sent' | 'sending' | 'failed';
  clientMessageId: string | null;
  failure: string | null;
}

const ofServer = (message: ChatMessage): ShownMessage => ({
  key: message.clientMessageId ?? message.id,
  text: message.text,
  senderId: message.senderId,
  createdAt: message.createdAt,
  state: 'sent',
  clientMessageId: message.clientMessageId,
  failure: null,
});

/** Everything said so far, oldest first, and what of mine is still on its way. */
export function shownMessages(
  messages: readonly ChatMessage[],
  outgoing: readonly OutgoingMessage[],
  myId: string,
): ShownMessage[] {
  const known = new Set(
    messages.filter(({ senderId }) => senderId === myId).map(({ clientMessageId }) => clientMessageId),
  );
  const waiting = outgoing
    .filter(({ clientMessageId }) => !known.has(clientMessageId))
    .map(({ clientMessageId, text, writtenAt, status, error }): ShownMessage => ({
      key: clientMessageId,
      text,
      senderId: myId,
      createdAt: writtenAt,
      state: status === 'waiting' ? 'sending' : status,
      clientMessageId,
      failure: error ?? null,
    }));
  return [...messages.map(ofServer), ...waiting];
}

/** One side's newest, oldest first. */
export const floatingOf = (messages: readonly ShownMessage[], senderId: string): ShownMessage[] =>
  messages.filter((message) => message.senderId === senderId).slice(-FLOATING_MAX);
