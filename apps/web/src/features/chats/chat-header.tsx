import { BellRing, PhoneOff, Video } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { afterDialogSteps, Amount, Avatar, Badge, Button, buttonClasses, toast } from '@/shared/ui';
import { otherIn } from './chat-sides';
import type { ChatStatus, ChatView } from './chat-types';
import { TerminateDialog } from './terminate-dialog';
import { useExitChat, useNudge } from './use-chat-actions';

/** So long after terminating, the page leaves (rule chats-33). */
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

/** Who, for how much, in which state; and what else can be done. */
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
  /** The chat is on the screen: these actions go as soon as it is known to have ended. */
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
