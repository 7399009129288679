import { Inbox } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { minutesAndSeconds, useAcceptChat, useDeclineChat, useSecondsUntil, type ChatRequest } from '@/features/chats';
import { Amount, Avatar, Button, EmptyState, toast } from '@/shared/ui';
import { ListCard } from './list-card';
import { useInboundChats } from './use-status';

/** Requests that wait for me, the highest price first; each has two minutes (rule chats-9). */
export function InboundChatsCard() {
  return (
    <ListCard
      title="Inbound priority"
      query={useInboundChats()}
      failure="Your requests could not be loaded."
      empty={
        <EmptyState
          icon={Inbox}
          title="Nobody is waiting for you"
          text="When someone asks you for a paid chat, it appears here, and you have two minutes to accept."
          className="pt-2 pb-8"
        />
      }
    >
      {(chat) => <InboundChat key={chat.chatId} chat={chat} />}
    </ListCard>
  );
}

function InboundChat({ chat }: { chat: ChatRequest }) {
  const navigate = useNavigate();
  const accept = useAcceptChat(({ chatId }) => void navigate(`/chat/${chatId}`));
  const decline = useDeclineChat(({ message }) => toast({ title: 'Chat declined', description: message }));
  const left = useSecondsUntil(chat.acceptBy) ?? 0;
  const isOver = left === 0;
  return (
    <li className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-3 px-4 py-3 sm:grid-cols-[auto_1fr_auto] sm:px-6">
      <Avatar name={chat.initiator.displayName} src={chat.initiator.profileImageUrl} />
      <div className="min-w-0">
        <p dir="auto" className="truncate text-left text-sm font-semibold text-ink">
          {chat.initiator.displayName}
        </p>
        <p className="flex items-center gap-2 text-xs text-ink-muted">
          <Amount value={chat.price} />
          <span role="timer" className="whitespace-nowrap text-hold tabular-nums">
            {isOver ? 'expired' : `${minutesAndSeconds(left)} left`}
          </span>
        </p>
      </div>
      <div className="col-span-2 flex gap-2 *:flex-1 sm:col-span-1 sm:*:flex-none">
        <Button
          size="sm"
          aria-label={`Decline ${chat.initiator.displayName}`}
          disabled={isOver || accept.isPending}
          pending={decline.isPending}
          onClick={() => decline.mutate(chat.chatId)}
        >
          Decline
        </Button>
        <Button
          size="sm"
          variant="primary"
          aria-label={`Accept ${chat.initiator.displayName}`}
          disabled={isOver || decline.isPending}
          pending={accept.isPending}
          onClick={() => accept.mutate(chat.chatId)}
        >
          Accept
        </Button>
      </div>
    </li>
  );
}
