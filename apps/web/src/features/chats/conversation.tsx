import { isolated } from '@app/domain';
import { clsx } from 'clsx';
import { ArrowDown, Check, Clock, RotateCcw, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { serverNowMs } from '@/shared/api/server-clock';
import type { ChatRoom } from '@/shared/realtime';
import { Avatar, Button, formatExactTime, formatTimeOfDay } from '@/shared/ui';
import { meIn, otherIn } from './chat-sides';
import type { ChatParty, ChatView } from './chat-types';
import { type ConversationLine, conversationLines, dayName } from './conversation-lines';
import { floatingOf, type ShownMessage } from './floating';
import { MessageText } from './message-text';

export interface ConversationProps {
  chat: ChatView;
  messages: readonly ShownMessage[];
  otherIsTyping: boolean;
  room: ChatRoom;
  /** The first message that the member has not seen; null if they have seen all. */
  firstUnread: string | null;
  /** Shown after the last message: the outcome of a chat that has ended. */
  children?: ReactNode;
}

/**
 * Everything that was said, in its order, between two panels: the other side's at the left, the member's own at the
 * right. What is said while one looks also rises in its side's panel and fades (rule chats-29).
 */
export function Conversation({ chat, messages, otherIsTyping, room, firstUnread, children }: ConversationProps) {
  const [me, other] = [meIn(chat), otherIn(chat)];
  const floating = useNewSince(messages);
  const { list, isAtEnd, onScroll, toEnd } = useEndOfList(messages, me.id);
  const lastOwn = messages.findLast(({ senderId, state }) => senderId === me.id && state === 'sent')?.key;
  return (
    <div className="relative grid min-h-40 flex-1 grid-cols-2 overflow-hidden">
      <Panel chat={chat} party={other} messages={floatingOf(floating, other.id)} />
      <Panel chat={chat} party={me} messages={floatingOf(floating, me.id)} />
      {/* The newest message stays in sight whatever changes the height: a list that begins at its end does so by itself. */}
      <section
        ref={list}
        // A list that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label="Conversation"
        onScroll={onScroll}
        className="group/list absolute inset-0 flex flex-col-reverse overflow-y-auto overscroll-contain px-3 pt-12 pb-3 outline-offset-[-2px] @2xl:px-5"
      >
        <div className={clsx('flex min-w-0 flex-col', messages.length === 0 && 'm-auto w-full')}>
          {messages.length === 0 && chat.status === 'active' && (
            <p className="m-auto max-w-sm p-4 text-center text-sm text-ink-muted">{silenceOf(chat)}</p>
          )}
          <ol className="flex flex-col">
            {conversationLines(messages).map((line) => (
              <Line
                key={line.message.key}
                line={line}
                room={room}
                isMine={line.message.senderId === me.id}
                beginsUnread={line.message.key === firstUnread}
                isLastSent={line.message.key === lastOwn}
                speaker={line.message.senderId === me.id ? 'You' : other.displayName}
              />
            ))}
          </ol>
          <p aria-live="polite" className={clsx('text-xs text-ink-muted', otherIsTyping && 'mt-3')}>
            {otherIsTyping && <Typing name={other.displayName} />}
          </p>
          {children}
        </div>
      </section>
      {!isAtEnd && (
        <Button
          size="sm"
          className="absolute bottom-3 left-1/2 z-10 -translate-x-1/2 rounded-full! shadow-raised"
          icon={<ArrowDown aria-hidden="true" className="size-4" />}
          onClick={toEnd}
        >
          <span>Newest messages</span>
        </Button>
      )}
    </div>
  );
}

/** Where a message begins to rise: those that come together begin above each other. */
const LANES = ['bottom-0', 'bottom-14', 'bottom-28'] as const;

interface FloatingMessage extends ShownMessage {
  lane: number;
}

/** What is said while nobody has said anything: who is to begin, and what it is for (rules chats-10, chats-14). */
const silenceOf = ({ side, host }: ChatView): string =>
  side === 'host'
    ? 'Say hello. Without a message from you within three minutes, the chat ends and the payment goes back.'
    : `Say hello. If ${isolated(host.displayName)} does not write within three minutes, you get everything back.`;

/** The messages that came after the component was mounted. */
function useNewSince(messages: readonly ShownMessage[]): readonly FloatingMessage[] {
  const [known] = useState(() => new Set(messages.map(({ key }) => key)));
  return messages
    .filter(({ key }) => !known.has(key))
    .map((message, index) => ({ ...message, lane: index % LANES.length }));
}

/** Farther from the end than this, the member is reading what was said before. */
const NEAR_END_PX = 80;

/** Follows the conversation while the member is at its end, and leads back to it; what they write themselves does, too. */
function useEndOfList(messages: readonly ShownMessage[], myId: string) {
  const list = useRef<HTMLElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = () => {
    if (list.current !== null) list.current.scrollTop = 0;
  };
  const newest = messages.at(-1);
  const newestOwn = newest?.senderId === myId ? newest.key : undefined;
  useEffect(() => {
    if (newestOwn !== undefined && list.current !== null) list.current.scrollTop = 0;
  }, [newestOwn]);
  return {
    list,
    isAtEnd,
    toEnd,
    // In a list that begins at its end, that end is 0 and everything above it negative.
    onScroll: () => setAtEnd(list.current === null || list.current.scrollTop > -NEAR_END_PX),
  };
}

interface PanelProps {
  chat: ChatView;
  party: ChatParty;
  messages: readonly FloatingMessage[];
}

function Panel({ chat, party, messages }: PanelProps) {
  const isMine = party.id === meIn(chat).id;
  const role = party.id === chat.hostId ? 'Host' : 'Initiator';
  return (
    <section
      aria-label={`${role}: ${party.displayName}`}
      className={clsx('relative min-w-0 overflow-hidden', isMine ? 'bg-nova/4' : 'border-r border-line bg-sky-800/60')}
    >
      <header
        className={clsx(
          'absolute inset-x-0 top-0 z-10 flex h-9 items-center gap-2 border-b border-line bg-sky-950 px-3 text-xs @2xl:px-5',
          isMine && 'flex-row-reverse',
        )}
      >
        <Avatar
          name={party.displayName}
          src={party.profileImageUrl}
          size="sm"
          className="size-6! text-[0.625rem]! max-sm:hidden"
        />
        <p className="flex min-w-0 gap-1.5 whitespace-nowrap">
          <bdi className="truncate font-semibold text-ink">{isMine ? 'You' : party.displayName}</bdi>
          <span className="text-ink-muted">{role}</span>
        </p>
      </header>
      {/* Hidden from assistive technology: the conversation says the same. */}
      <ol aria-hidden="true" className="pointer-events-none absolute inset-3 motion-reduce:hidden">
        {messages.map(({ key, text, lane }) => (
          <li
            key={key}
            dir="auto"
            className={clsx(
              LANES[lane],
              'absolute line-clamp-2 max-w-full animate-float text-base whitespace-pre-wrap opacity-0',
              isMine ? 'right-0 text-nova' : 'left-0 text-ink-muted',
            )}
          >
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface LineProps {
  line: ConversationLine;
  room: ChatRoom;
  isMine: boolean;
  speaker: string;
  beginsUnread: boolean;
  /** The newest of the member's own that the server has. */
  isLastSent: boolean;
}

/** One message, with the day or the mark of what is unread before it. Its time shows on a tap, a hover, or a focus. */
function Line({
  line: { message, beginsDay, beginsGroup },
  room,
  isMine,
  speaker,
  beginsUnread,
  isLastSent,
}: LineProps) {
  const [showsTime, setShowsTime] = useState(false);
  const { state, createdAt } = message;
  return (
    <>
      {beginsDay && (
        <li className="my-3 text-center text-xs font-medium text-ink-muted first:mt-0">
          <span className="rounded-full border border-line bg-sky-950 px-3 py-1">
            {dayName(createdAt, serverNowMs())}
          </span>
        </li>
      )}
      {beginsUnread && (
        <li className="my-2 flex items-center gap-3 text-xs font-semibold text-nova before:h-px before:flex-1 before:bg-nova/40 after:h-px after:flex-1 after:bg-nova/40">
          <span>New messages</span>
        </li>
      )}
      <li
        className={clsx(
          'group/line flex max-w-[85%] items-end gap-2 @2xl:max-w-[min(68%,36rem)]',
          beginsGroup ? 'mt-2' : 'mt-0.5',
          isMine ? 'flex-row-reverse self-end' : 'self-start',
        )}
      >
        {/* A tap only shows what a screen reader is told and a keyboard's focus shows for all. */}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
        <div
          onClick={() => setShowsTime(!showsTime)}
          className={clsx(
            'min-w-0 rounded-lg px-3.5 py-2 text-base break-words whitespace-pre-wrap text-ink @2xl:text-sm',
            isMine ? 'bg-mine' : 'bg-sky-700',
            isMine ? 'rounded-br-sm' : 'rounded-bl-sm',
            (state === 'sending' || state === 'queued') && 'opacity-75',
            state === 'queued' && 'outline outline-dashed outline-ink-faint',
            state === 'failed' && 'outline outline-loss',
          )}
        >
          <bdi className="sr-only">{`${speaker}: `}</bdi>
          <p dir="auto">
            <MessageText text={message.text} />
          </p>
        </div>
        <time
          dateTime={createdAt}
          title={formatExactTime(createdAt)}
          className={clsx(
            'shrink-0 self-center text-xs text-ink-muted tabular-nums',
            !showsTime && 'sr-only group-hover/line:not-sr-only group-focus-visible/list:not-sr-only',
          )}
        >
          {formatTimeOfDay(Date.parse(createdAt))}
        </time>
      </li>
      {isMine && <Sending message={message} room={room} isLastSent={isLastSent} />}
    </>
  );
}

/** Under one's own message: how far it has come. */
function Sending({ message, room, isLastSent }: { message: ShownMessage; room: ChatRoom; isLastSent: boolean }) {
  const { state, clientMessageId, failure } = message;
  const line = 'mt-0.5 flex items-center gap-1 self-end text-xs text-ink-muted';
  switch (state) {
    case 'sent':
      if (!isLastSent) return null;
      return (
        <li className={line}>
          <Check aria-hidden="true" className="size-3.5" />
          <span>Sent</span>
        </li>
      );
    case 'sending':
      return <li className={clsx(line, 'animate-late')}>Sending…</li>;
    case 'queued':
      return (
        <li className={line}>
          <Clock aria-hidden="true" className="size-3.5" />
          <span>Queued: goes out when you are back</span>
        </li>
      );
    case 'failed':
      return (
        <li role="alert" className={clsx(line, 'max-w-[85%] flex-wrap justify-end text-loss!')}>
          <span>{`Not sent. ${failure ?? ''}`}</span>
          <Button
            size="sm"
            variant="ghost"
            aria-label="Send again"
            className="px-2! text-ink!"
            icon={<RotateCcw aria-hidden="true" className="size-4" />}
            onClick={() => clientMessageId !== null && room.retry(clientMessageId)}
          >
            <span>Retry</span>
          </Button>
          <Button
            size="sm"
            variant="ghost"
            aria-label="Discard"
            className="px-2!"
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => clientMessageId !== null && room.discard(clientMessageId)}
          />
        </li>
      );
  }
}

function Typing({ name }: { name: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-2 rounded-lg rounded-bl-sm bg-sky-700 px-3.5 py-2">
      <span aria-hidden="true" className="flex gap-1">
        {['', '[animation-delay:150ms]', '[animation-delay:300ms]'].map((delay) => (
          <span key={delay} className={clsx('size-1.5 animate-typing rounded-full bg-ink-muted', delay)} />
        ))}
      </span>
      <span className="truncate">{`${isolated(name)} is typing…`}</span>
    </span>
  );
}
