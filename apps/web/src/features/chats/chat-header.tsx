import { dueOnBreakingOff, IDLE_CHAT_MS, isolated, SUCCESS_CHARACTERS, SUCCESS_EXCHANGES } from '@app/domain';
import { clsx } from 'clsx';
import { BellRing, Video } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { minorToNova, novaToMinor, sayAmount } from '@/shared/api';
import {
  afterDialogSteps,
  Amount,
  Avatar,
  Button,
  buttonClasses,
  Dialog,
  ProgressBar,
  StayOpen,
  toast,
} from '@/shared/ui';
import { otherIn } from './chat-sides';
import type { ChatStatus, ChatView } from './chat-types';
import { minutesAndSeconds, timeLeft, useSecondsUntil } from './countdown';
import { useExitChat, useNudge } from './use-chat-actions';

/** The page leaves this long after the member terminates the chat (rule chats-33). */
const LEAVE_MS = 100;

const STATES: Record<ChatStatus, { label: string; tone: string }> = {
  requested: { label: 'Waiting for the host', tone: 'text-hold' },
  active: { label: 'Active', tone: 'text-ink-muted' },
  successful: { label: 'Successful', tone: 'text-gain' },
  completed: { label: 'Completed', tone: 'text-gain' },
  declined: { label: 'Declined', tone: 'text-loss' },
  expired: { label: 'Expired', tone: 'text-ink-muted' },
  terminated: { label: 'Terminated', tone: 'text-loss' },
};

/** What surrounds the header: a page has a link back, an overlay its buttons. */
export interface ChatFrame {
  /** Wraps the other side's name in the title of the page or dialog. */
  readonly title: (name: ReactNode) => ReactNode;
  readonly before?: ReactNode;
  readonly after?: ReactNode;
}

/** In one bar: who the chat is with, for how much, how far it is, how long it lasts, and what one can do. */
export function ChatHeader({ chat, frame }: { chat: ChatView; frame: ChatFrame }) {
  const other = otherIn(chat);
  const { label, tone } = STATES[chat.status];
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const mayExit = chat.status === 'active' || (chat.status === 'requested' && chat.side === 'initiator');
  return (
    <section
      aria-label="About this chat"
      className="relative z-10 flex shrink-0 flex-wrap items-center gap-x-1 border-b border-line bg-sky-950 px-2 pt-[env(safe-area-inset-top)] pb-0.5 @2xl:gap-x-2 @2xl:px-4"
    >
      {frame.before}
      <div className="flex min-h-14 min-w-0 flex-1 items-center gap-2.5 pl-1">
        <Avatar name={other.displayName} src={other.profileImageUrl} />
        <div className="min-w-0">
          {frame.title(
            <bdi className="block truncate text-left text-base font-semibold text-ink">{other.displayName}</bdi>,
          )}
          <p className="flex items-center gap-x-2 overflow-hidden text-xs whitespace-nowrap text-ink-muted tabular-nums">
            <Amount value={chat.price} />
            {/* The time left says as much where there is little room. */}
            <span className={clsx('flex gap-2', tone, chat.status === 'active' && 'sr-only @md:not-sr-only')}>
              <span aria-hidden="true">·</span>
              <span>{label}</span>
            </span>
            <TimeLeft chat={chat} />
          </p>
        </div>
      </div>
      {mayExit && <QuickActions chat={chat} otherId={other.id} />}
      {frame.after !== undefined && <div className="flex shrink-0 @2xl:order-4">{frame.after}</div>}
      {/* In a narrow bar, what follows stands in a second line. */}
      <div className="basis-full @2xl:hidden" />
      {chat.acceptedAt !== null && <Progress chat={chat} />}
      {mayExit && <Exit chat={chat} isHere={isHere} />}
      {chat.acceptedAt !== null && (
        <ProgressBar
          label="Chat progress"
          value={chat.percentage}
          tone={chat.status === 'terminated' ? 'faint' : 'nova'}
          className="absolute! inset-x-0 bottom-0 h-0.75! rounded-none!"
        />
      )}
    </section>
  );
}

/** Five exchanges and 300 characters make a success, each half of the bar (rule chats-14). */
function Progress({ chat: { exchangeCount, totalCharacterCount, percentage } }: { chat: ChatView }) {
  const figures = [
    [`${Math.min(exchangeCount, SUCCESS_EXCHANGES)} / ${SUCCESS_EXCHANGES}`, 'exchanges'],
    [`${Math.min(totalCharacterCount, SUCCESS_CHARACTERS)} / ${SUCCESS_CHARACTERS}`, 'characters'],
  ];
  return (
    <section
      aria-label="Progress"
      className="flex min-h-9 flex-1 flex-wrap items-center gap-x-2 px-1 text-xs text-ink-muted tabular-nums @2xl:order-1 @2xl:flex-none @2xl:gap-x-3 @2xl:px-3"
    >
      {figures.map(([figure, unit]) => (
        <p key={unit} className="whitespace-nowrap">
          <span className="font-medium text-ink">{figure}</span> <span>{unit}</span>
        </p>
      ))}
      <p className="sr-only font-semibold text-ink @md:not-sr-only">{`${Math.floor(percentage)}%`}</p>
    </section>
  );
}

/**
 * How long the chat goes on by itself: until the host's first message is due (rule chats-10), then for 24 hours after
 * the last message (rule chats-11).
 */
function TimeLeft({ chat }: { chat: ChatView }) {
  const isActive = chat.status === 'active';
  const hostHasWritten = chat.messages.some(({ senderId }) => senderId === chat.hostId);
  const last = chat.messages.at(-1)?.createdAt ?? chat.acceptedAt;
  const endsAt = isActive && last !== null ? new Date(Date.parse(last) + IDLE_CHAT_MS).toISOString() : null;
  const isAwaited = isActive && !hostHasWritten && chat.verifyBy !== null;
  const left = useSecondsUntil(isAwaited ? chat.verifyBy : endsAt);
  if (left === null) return null;
  const who = chat.side === 'host' ? 'Your' : "The host's";
  return (
    <>
      <span aria-hidden="true">·</span>
      {isAwaited ? (
        <span className="text-hold" title={`${who} first message is due in ${minutesAndSeconds(left)}`}>
          {`${chat.side === 'host' ? 'write' : 'host writes'} within ${minutesAndSeconds(left)}`}
        </span>
      ) : (
        <span title="Without another message, the chat ends then.">{`${timeLeft(left)} left`}</span>
      )}
    </>
  );
}

function QuickActions({ chat, otherId }: { chat: ChatView; otherId: string }) {
  const nudge = useNudge(({ message }) => toast({ title: 'Nudge sent', description: message }));
  return (
    <div className="flex shrink-0 @2xl:order-2">
      <Button
        size="icon"
        variant="ghost"
        aria-label="Nudge"
        title="Nudge: tell them that you are waiting"
        icon={<BellRing aria-hidden="true" className="size-5" />}
        pending={nudge.isPending}
        onClick={() => nudge.mutate(chat.id)}
      />
      {chat.status === 'active' && (
        <Link
          to={`/video-chat/${otherId}`}
          aria-label="Video"
          title="Video call"
          className={buttonClasses({ size: 'icon', variant: 'ghost' })}
        >
          <Video aria-hidden="true" className="size-5" />
        </Link>
      )}
    </div>
  );
}

interface ExitProps {
  chat: ChatView;
  /** The chat is on the screen, so its actions disappear as soon as it is known to have ended. */
  isHere: RefObject<boolean>;
}

function Exit({ chat, isHere }: ExitProps) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const isRequest = chat.status === 'requested';
  const exit = useExitChat(({ message }) => {
    setAsking(false);
    toast({ title: isRequest ? 'Request withdrawn' : 'Chat Terminated', description: message });
    const leave = () => isHere.current && void navigate('/feed');
    setTimeout(() => afterDialogSteps(leave), LEAVE_MS);
  });
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        className="ml-auto min-h-9! px-2! text-xs! hover:text-loss! @2xl:order-3 @2xl:ml-0 @2xl:text-sm!"
        onClick={() => setAsking(true)}
      >
        <span>{isRequest ? 'Withdraw' : 'Terminate Chat'}</span>
      </Button>
      <TerminateDialog
        chat={chat}
        open={isAsking}
        onOpenChange={setAsking}
        pending={exit.isPending}
        onConfirm={() => exit.mutate(chat.id)}
      />
    </>
  );
}

interface TerminateDialogProps {
  chat: ChatView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  pending: boolean;
  onConfirm: () => void;
}

/** Says exactly what happens to the money before the member terminates a chat (rules chats-21, chats-22). */
function TerminateDialog({ chat, open, onOpenChange, pending, onConfirm }: TerminateDialogProps) {
  const isRequest = chat.status === 'requested';
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title={isRequest ? 'Withdraw this request?' : 'Terminate this chat?'}
      footer={
        <>
          <StayOpen while={pending} />
          <Button disabled={pending} onClick={() => onOpenChange(false)}>
            <span>{isRequest ? 'Keep waiting' : 'Keep chatting'}</span>
          </Button>
          <Button variant="danger" pending={pending} onClick={onConfirm}>
            <span>{isRequest ? 'Withdraw request' : 'Terminate Chat'}</span>
          </Button>
        </>
      }
    >
      <p className="text-sm text-ink-muted">{whatHappens(chat)}</p>
    </Dialog>
  );
}

/** One or two sentences about the money, for the side that ends the chat. */
function whatHappens(chat: ChatView): string {
  if (chat.status === 'requested') return `The ${sayAmount(chat.price)} held for it go back to you at once.`;
  if (chat.side === 'host') {
    return `You earn nothing from this chat: all ${sayAmount(chat.price)} go back to ${isolated(chat.initiator.displayName)}. This cannot be undone.`;
  }
  const counts = { exchanges: chat.exchangeCount, totalCharacters: chat.totalCharacterCount };
  const due = minorToNova(Number(dueOnBreakingOff(BigInt(novaToMinor(chat.price)), counts)));
  const back = minorToNova(novaToMinor(chat.price) - novaToMinor(due));
  if (due === 0)
    return `No exchange is complete yet, so you get all ${sayAmount(chat.price)} back. This cannot be undone.`;
  return `You pay for the part of the chat that took place: ${sayAmount(due)}. The remaining ${sayAmount(back)} come back to you. This cannot be undone.`;
}
