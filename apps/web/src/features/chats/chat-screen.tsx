import { SUCCESS_CHARACTERS, SUCCESS_EXCHANGES } from '@app/domain';
import { clsx } from 'clsx';
import { Hourglass, ScrollText, Sparkles, Video } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useChatRoom, useRealtime } from '@/shared/realtime';
import { Amount, Button, buttonClasses, Card, ProgressBar, RelativeTime, toast } from '@/shared/ui';
import { ChatHeader } from './chat-header';
import { meIn, otherIn } from './chat-sides';
import { ChatStage, type ConversationProps } from './chat-stage';
import type { ChatView } from './chat-types';
import { minutesAndSeconds, useSecondsUntil } from './countdown';
import { shownMessages } from './floating';
import { howItEnded } from './how-it-ended';
import { MessageInput } from './message-input';
import { useAcceptChat, useDeclineChat } from './use-chat-actions';
import { useIncomingCall } from './use-incoming-call';

export interface ChatScreenProps {
  chat: ChatView;
  /** Called when the member wants to rate now. */
  onRate: () => void;
  /** Called when the member is done with this chat. */
  onDone: () => void;
}

/**
 * The chat itself: its progress, its messages and the possible actions (rule chats-29). The page and the overlay both
 * use it.
 */
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

/** The other side's last message, for screen readers. */
function NewestForReaders({ chat }: { chat: ChatView }) {
  const other = otherIn(chat);
  const newest = chat.messages.at(-1);
  return (
    <p aria-live="polite" className="sr-only">
      {newest?.senderId === other.id && `${other.displayName}: ${newest.text}`}
    </p>
  );
}

interface EndedChatProps {
  chat: ChatView;
  onRate: () => void;
  onLeave: () => void;
}

/** Replaces the message field once a chat takes no more messages: says how it ended and what comes next. */
function EndedChat({ chat, onRate, onLeave }: EndedChatProps) {
  const mustRate = chat.status === 'successful' && chat.myRating === null;
  return (
    <section
      aria-label="How it ended"
      className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-sky-800 p-3 sm:px-4"
    >
      <p className="text-sm text-ink-muted">{howItEnded(chat)}</p>
      {mustRate ? (
        <Button variant="primary" onClick={onRate}>
          Rate this chat
        </Button>
      ) : (
        <Button onClick={onLeave}>Back to Feed</Button>
      )}
    </section>
  );
}

/** The other side has started a video call: the member joins or declines. */
function IncomingCall({ chat }: { chat: ChatView }) {
  const other = otherIn(chat);
  const call = useIncomingCall({ chatId: chat.id, myId: meIn(chat).id });
  if (!call.isCalling) return null;
  return (
    <section
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-nova/40 bg-sky-800 p-3 sm:px-4"
    >
      <p className="flex items-center gap-2 text-sm text-ink">
        <Video aria-hidden="true" className="size-4 text-nova" />
        {other.displayName} is calling you.
      </p>
      <div className="flex gap-2">
        <Button size="sm" onClick={call.decline}>
          Not now
        </Button>
        <Link to={`/video-chat/${other.id}`} className={buttonClasses({ size: 'sm', variant: 'primary' })}>
          Join call
        </Link>
      </div>
    </section>
  );
}

/** All messages as plain text, for members who read slowly, use a screen reader or look something up. */
function Transcript({ chat, messages, otherIsTyping }: ConversationProps) {
  const list = useRef<HTMLElement>(null);
  const count = messages.length;
  useEffect(() => {
    // Scroll the list itself, never the page.
    if (count > 0) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  const nameOf = (senderId: string) => (senderId === meIn(chat).id ? 'You' : otherIn(chat).displayName);
  return (
    <section
      ref={list}
      // A list that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label="Transcript"
      className="h-(--stage-height,40dvh) min-h-60 sm:h-[46dvh] sm:min-h-72 overflow-y-auto rounded-lg border border-line bg-sky-800"
    >
      <ol className="grid gap-1 p-3 sm:p-4">
        {count === 0 && <li className="text-sm text-ink-muted">Nothing has been said yet.</li>}
        {messages.map((message) => (
          <li key={message.key} className="text-sm">
            <bdi className="font-semibold text-ink">{nameOf(message.senderId)}</bdi>{' '}
            <RelativeTime iso={message.createdAt} className="text-xs text-ink-faint" />
            <p
              dir="auto"
              className={clsx(
                'break-words whitespace-pre-wrap',
                message.state === 'sent' ? 'text-ink' : 'text-ink-muted',
              )}
            >
              {message.text}
              {message.state === 'sending' && <span className="text-xs text-ink-faint"> · sending</span>}
              {message.state === 'failed' && <span className="text-xs text-loss"> · not sent</span>}
            </p>
          </li>
        ))}
        <li className="min-h-5 text-xs text-ink-muted">{otherIsTyping && 'Typing…'}</li>
      </ol>
    </section>
  );
}

/** The chat's progress to success: five exchanges and 300 characters, each half of the bar (rule chats-14). */
function ChatProgressBar({ chat }: { chat: ChatView }) {
  const { exchangeCount, totalCharacterCount, percentage, status } = chat;
  const exchanges = Math.min(exchangeCount, SUCCESS_EXCHANGES);
  const characters = Math.min(totalCharacterCount, SUCCESS_CHARACTERS);
  return (
    <section aria-label="Progress" className="rounded-lg border border-line bg-sky-800 p-3 sm:px-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-xs text-ink-muted tabular-nums">
        <p>
          <span className="font-medium text-ink">
            {exchanges} / {SUCCESS_EXCHANGES}
          </span>{' '}
          exchanges
          <span aria-hidden="true" className="px-2 text-ink-faint">
            ·
          </span>
          <span className="font-medium text-ink">
            {characters} / {SUCCESS_CHARACTERS}
          </span>{' '}
          characters
        </p>
        <FirstMessageDeadline chat={chat} />
        <p className="font-semibold text-ink">{Math.floor(percentage)}%</p>
      </div>
      <ProgressBar
        label="Chat progress"
        value={percentage}
        tone={status === 'terminated' ? 'faint' : 'nova'}
        className="mt-2"
      />
    </section>
  );
}

/** The host's first message is due three minutes after acceptance (rule chats-10). */
function FirstMessageDeadline({ chat }: { chat: ChatView }) {
  const hostHasWritten = chat.messages.some(({ senderId }) => senderId === chat.hostId);
  const isWaiting = chat.status === 'active' && !hostHasWritten;
  const left = useSecondsUntil(isWaiting ? chat.verifyBy : null);
  if (left === null) return null;
  const who = chat.side === 'host' ? 'Your' : "The host's";
  return (
    <p className="text-hold">
      {who} first message is due in <span className="font-semibold">{minutesAndSeconds(left)}</span>
    </p>
  );
}

interface RequestedChatProps {
  chat: ChatView;
  onDeclined: () => void;
}

/** A request that waits for the host; after two minutes, all held Nova is returned (rule chats-6). */
function RequestedChat({ chat, onDeclined }: RequestedChatProps) {
  const left = useSecondsUntil(chat.acceptBy) ?? 0;
  const isHost = chat.side === 'host';
  return (
    <Card className="text-center">
      <div className="mx-auto grid max-w-md justify-items-center gap-4 py-6">
        <Hourglass aria-hidden="true" className="size-8 text-hold" />
        <p className="font-display text-2xl font-semibold text-ink tabular-nums" role="timer">
          {minutesAndSeconds(left)}
        </p>
        <p className="text-sm text-ink-muted">
          {isHost
            ? `${chat.initiator.displayName} would like to talk with you. Half of the payment is yours when the chat succeeds.`
            : `${chat.host.displayName} has been asked. This page opens when they accept. If they do not, you get everything back.`}
        </p>
        <p className="flex items-center gap-2 text-sm text-ink-muted">
          Held: <Amount value={chat.price} tone="hold" className="font-semibold" />
        </p>
        {isHost && <Answer chat={chat} isOver={left === 0} onDeclined={onDeclined} />}
      </div>
    </Card>
  );
}

function Answer({ chat, isOver, onDeclined }: RequestedChatProps & { isOver: boolean }) {
  const accept = useAcceptChat();
  const decline = useDeclineChat(({ message }) => {
    toast({ title: 'Chat declined', description: message });
    onDeclined();
  });
  return (
    <div className="flex gap-2">
      <Button pending={decline.isPending} disabled={isOver || accept.isPending} onClick={() => decline.mutate(chat.id)}>
        Decline
      </Button>
      <Button
        variant="primary"
        pending={accept.isPending}
        disabled={isOver || decline.isPending}
        onClick={() => accept.mutate(chat.id)}
      >
        Accept
      </Button>
    </div>
  );
}
