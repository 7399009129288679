import { ScrollText, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useChatRoom, useRealtime } from '@/shared/realtime';
import { Button } from '@/shared/ui';
import { ChatHeader } from './chat-header';
import { ChatProgressBar } from './chat-progress-bar';
import { ChatStage } from './chat-stage';
import { meIn, otherIn } from './chat-sides';
import type { ChatView } from './chat-types';
import { EndedChat } from './ended-chat';
import { shownMessages } from './floating';
import { IncomingCall } from './incoming-call';
import { MessageInput } from './message-input';
import { RequestedChat } from './requested-chat';
import { Transcript } from './transcript';

export interface ChatScreenProps {
  chat: ChatView;
  /** The member wants to rate now. */
  onRate: () => void;
  /** The member is done with this chat. */
  onDone: () => void;
}

/** The chat itself: how far it is, what is said, and what to do (rule chats-29). Used by the page and by the overlay. */
export function ChatScreen({ chat, onRate, onDone }: ChatScreenProps) {
  const { status } = useRealtime();
  const room = useChatRoom(chat.id, { lastMessageId: chat.messages.at(-1)?.id ?? null });
  const [view, setView] = useState<'stage' | 'transcript'>('stage');
  const messages = shownMessages(chat.messages, room.outgoing, meIn(chat).id);
  const isTalking = chat.status === 'active';
  const typing = room.otherIsTyping && isTalking;
  return (
    <div className="grid grid-cols-1 gap-3">
      <ChatHeader chat={chat} />
      {isTalking && <IncomingCall chat={chat} />}
      {chat.status === 'requested' ? (
        <RequestedChat chat={chat} onDeclined={onDone} />
      ) : (
        <>
          <ChatProgressBar chat={chat} />
          <ViewToggle view={view} onChange={setView} />
          {view === 'stage' ? (
            <ChatStage chat={chat} messages={messages} otherIsTyping={typing} />
          ) : (
            <Transcript chat={chat} messages={messages} otherIsTyping={typing} />
          )}
          {isTalking ? (
            <MessageInput room={room} isConnected={status === 'connected'} messages={messages} />
          ) : (
            <EndedChat chat={chat} onRate={onRate} onLeave={onDone} />
          )}
        </>
      )}
      <NewestForReaders chat={chat} />
    </div>
  );
}

function ViewToggle({
  view,
  onChange,
}: {
  view: 'stage' | 'transcript';
  onChange: (view: 'stage' | 'transcript') => void;
}) {
  const onStage = view === 'stage';
  const Icon = onStage ? ScrollText : Sparkles;
  return (
    <div className="flex justify-end">
      <Button
        size="sm"
        variant="ghost"
        aria-pressed={!onStage}
        icon={<Icon aria-hidden="true" className="size-4" />}
        onClick={() => onChange(onStage ? 'transcript' : 'stage')}
      >
        {onStage ? 'Show as text' : 'Show floating'}
      </Button>
    </div>
  );
}

/** What the other side said last, for whoever hears the page. */
function NewestForReaders({ chat }: { chat: ChatView }) {
  const other = otherIn(chat);
  const newest = chat.messages.at(-1);
  return (
    <p aria-live="polite" className="sr-only">
      {newest?.senderId === other.id && `${other.displayName}: ${newest.text}`}
    </p>
  );
}
