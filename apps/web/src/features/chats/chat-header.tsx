import { dueOnBreakingOff } from '@app/domain';
import { BellRing, PhoneOff, Video } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { minorToNova, novaToMinor, sayAmount } from '@/shared/api';
import { afterDialogSteps, Amount, Avatar, Badge, Button, buttonClasses, Dialog, StayOpen, toast } from '@/shared/ui';
import { otherIn } from './chat-sides';
import type { ChatStatus, ChatView } from './chat-types';
import { useExitChat, useNudge } from './use-chat-actions';

/** The page leaves this long after the member terminates the chat (rule chats-33). */
const LEAVE_MS = 100;

const STATES: Record<ChatStatus, { label: string; tone: 'neutral' | 'nova' | 'gain' | 'loss' | 'hold' }> = {
  requested: { label: 'Waiting for the host', tone: 'hold' },
  active: { label: 'Active', tone: 'nova' },
  successful: { label: 'Successful', tone: 'gain' },
  completed: { label: 'Completed', tone: 'gain' },
  declined: { label: 'Declined', tone: 'loss' },
  expired: { label: 'Expired', tone: 'neutral' },
  terminated: { label: 'Terminated', tone: 'loss' },
};

/** Shows who the chat is with, for how much and in which state, and offers the remaining actions. */
export function ChatHeader({ chat }: { chat: ChatView }) {
  const other = otherIn(chat);
  const { label, tone } = STATES[chat.status];
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return (
    <section
      aria-label="About this chat"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-lg border border-line bg-sky-800 p-3 sm:px-4"
    >
      <div className="flex min-w-0 items-center gap-3">
        <Avatar name={other.displayName} src={other.profileImageUrl} />
        <div className="min-w-0">
          <p dir="auto" className="truncate text-left text-sm font-semibold text-ink">
            {other.displayName}
          </p>
          <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-muted">
            <span>{chat.side === 'host' ? 'You are the host' : 'You requested this chat'}</span>
            <Amount value={chat.price} />
          </p>
        </div>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {(chat.status === 'active' || (chat.status === 'requested' && chat.side === 'initiator')) && (
        <Actions chat={chat} otherId={other.id} isHere={isHere} />
      )}
    </section>
  );
}

interface ActionsProps {
  chat: ChatView;
  otherId: string;
  /** The chat is on the screen, so these actions disappear as soon as the chat is known to have ended. */
  isHere: RefObject<boolean>;
}

function Actions({ chat, otherId, isHere }: ActionsProps) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const isRequest = chat.status === 'requested';
  const nudge = useNudge(({ message }) => toast({ title: 'Nudge sent', description: message }));
  const exit = useExitChat(({ message }) => {
    setAsking(false);
    toast({ title: isRequest ? 'Request withdrawn' : 'Chat Terminated', description: message });
    const leave = () => isHere.current && void navigate('/feed');
    setTimeout(() => afterDialogSteps(leave), LEAVE_MS);
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="sm"
        variant="ghost"
        icon={<BellRing aria-hidden="true" className="size-4" />}
        pending={nudge.isPending}
        onClick={() => nudge.mutate(chat.id)}
      >
        <span className="max-sm:sr-only">Nudge</span>
      </Button>
      {!isRequest && (
        <Link to={`/video-chat/${otherId}`} className={buttonClasses({ size: 'sm' })}>
          <Video aria-hidden="true" className="size-4" />
          <span className="max-sm:sr-only">Video</span>
        </Link>
      )}
      <Button
        size="sm"
        variant="danger"
        icon={<PhoneOff aria-hidden="true" className="size-4" />}
        onClick={() => setAsking(true)}
      >
        {isRequest ? 'Withdraw' : 'Terminate Chat'}
      </Button>
      <TerminateDialog
        chat={chat}
        open={isAsking}
        onOpenChange={setAsking}
        pending={exit.isPending}
        onConfirm={() => exit.mutate(chat.id)}
      />
    </div>
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
            Keep it
          </Button>
          <Button variant="danger" pending={pending} onClick={onConfirm}>
            {isRequest ? 'Withdraw request' : 'Terminate Chat'}
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
    return `You earn nothing from this chat: all ${sayAmount(chat.price)} go back to ${chat.initiator.displayName}. It cannot be undone.`;
  }
  const counts = { exchanges: chat.exchangeCount, totalCharacters: chat.totalCharacterCount };
  const due = minorToNova(Number(dueOnBreakingOff(BigInt(novaToMinor(chat.price)), counts)));
  const back = minorToNova(novaToMinor(chat.price) - novaToMinor(due));
  if (due === 0)
    return `No exchange is complete yet, so you get all ${sayAmount(chat.price)} back. It cannot be undone.`;
  return `You pay for the part of the chat that took place: ${sayAmount(due)}. The remaining ${sayAmount(back)} come back to you. It cannot be undone.`;
}
