import type { ChatMessage, OutgoingMessage } from '@/shared/realtime';

/** At most this many messages float on each side (rule chats-29). */
const FLOATING_MAX = 16;

/** A message of either side as the screen shows it. The member's own are shown before the server has them. */
export interface ShownMessage {
  /** Stays the same once the server has the message, so that nothing jumps. */
  key: string;
  text: string;
  senderId: string;
  createdAt: string;
  /** `queued` waits for the next connection. */
  state: 'sent' | 'sending' | 'queued' | 'failed';
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

export interface OwnMessages {
  readonly myId: string;
  readonly outgoing: readonly OutgoingMessage[];
  readonly isConnected: boolean;
}

/** All messages so far, oldest first, including the member's own that are still on their way. */
export function shownMessages(
  messages: readonly ChatMessage[],
  { myId, outgoing, isConnected }: OwnMessages,
): ShownMessage[] {
  const known = new Set(
    messages.filter(({ senderId }) => senderId === myId).map(({ clientMessageId }) => clientMessageId),
  );
  const waiting = isConnected ? 'sending' : 'queued';
  const onTheWay = outgoing
    .filter(({ clientMessageId }) => !known.has(clientMessageId))
    .map(({ clientMessageId, text, writtenAt, status, error }): ShownMessage => ({
      key: clientMessageId,
      text,
      senderId: myId,
      createdAt: writtenAt,
      state: status === 'waiting' ? waiting : status,
      clientMessageId,
      failure: error ?? null,
    }));
  return [...messages.map(ofServer), ...onTheWay];
}

/** One side's newest messages, oldest first. */
export const floatingOf = <T extends ShownMessage>(messages: readonly T[], senderId: string): T[] =>
  messages.filter((message) => message.senderId === senderId).slice(-FLOATING_MAX);
