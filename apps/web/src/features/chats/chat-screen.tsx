import { useOnline } from '@/shared/hooks/use-online';
import { useChatRoom, useRealtime } from '@/shared/realtime';
import { type ChatFrame, ChatHeader } from './chat-header';
import { ChatOutcome } from './chat-outcome';
import { meIn, otherIn } from './chat-sides';
import type { ChatView } from './chat-types';
import { Conversation } from './conversation';
import { shownMessages } from './floating';
import { MessageInput } from './message-input';
import { openersFor } from './openers';
import { useUnreadMark } from './read-marks';
import { RequestedChat } from './requested-chat';

export interface ChatScreenProps {
  chat: ChatView;
  frame: ChatFrame;
  /** Called when the member wants to rate now. */
  onRate: () => void;
  /** Called when the member is done with this chat. */
  onDone: () => void;
}

/**
 * The chat itself, in the whole of the place that it is given: a bar, the conversation, and the box to write in (rule
 * chats-29). The page and the overlay both use it.
 */
export function ChatScreen({ chat, frame, onRate, onDone }: ChatScreenProps) {
  const { status } = useRealtime();
  const isOnline = useOnline();
  const isConnected = isOnline && status === 'connected';
  const room = useChatRoom(chat.id, { lastMessageId: chat.messages.at(-1)?.id ?? null });
  const messages = shownMessages(chat.messages, { myId: meIn(chat).id, outgoing: room.outgoing, isConnected });
  const firstUnread = useUnreadMark(chat);
  const isTalking = chat.status === 'active';
  return (
    <div className="@container flex min-h-0 flex-1 flex-col overflow-y-auto">
      <ChatHeader chat={chat} frame={frame} />
      {chat.status === 'requested' ? (
        <RequestedChat chat={chat} onDeclined={onDone} />
      ) : (
        <Conversation
          chat={chat}
          messages={messages}
          otherIsTyping={room.otherIsTyping && isTalking}
          room={room}
          firstUnread={firstUnread}
        >
          {isTalking ? undefined : <ChatOutcome chat={chat} onRate={onRate} onLeave={onDone} />}
        </Conversation>
      )}
      {isTalking && (
        <MessageInput
          room={room}
          isConnected={isConnected}
          isOnline={isOnline}
          openers={messages.length === 0 ? openersFor(chat) : []}
        />
      )}
      <NewestForReaders chat={chat} />
    </div>
  );
}

/** The other side's last message or, before the first one, that the chat has begun, for screen readers. */
function NewestForReaders({ chat }: { chat: ChatView }) {
  const other = otherIn(chat);
  const newest = chat.messages.at(-1);
  const hasBegun = newest === undefined && chat.status === 'active' && chat.side === 'initiator';
  return (
    <p aria-live="polite" className="sr-only">
      {hasBegun && <span>Chat Accepted!</span>}
      {newest?.senderId === other.id && <span>{`${other.displayName}: ${newest.text}`}</span>}
    </p>
  );
}
