import { ChevronRight, MessagesSquare } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { ChatSummary } from '@/features/chats';
import { Amount, Avatar, Badge, EmptyState, ProgressBar } from '@/shared/ui';
import { ListCard } from './list-card';
import { useMyChats } from './use-status';

const STATES: Partial<Record<ChatSummary['status'], string>> = {
  requested: 'Waiting for an answer',
  active: 'Active',
  successful: 'Rate it',
};

/** Chats to go back into. */
export function OpenChatsCard() {
  return (
    <ListCard
      title="Open chats"
      query={useMyChats()}
      failure="Your chats could not be loaded."
      empty={
        <EmptyState
          icon={MessagesSquare}
          title="No open chats"
          text="Ask a member for a chat from their card."
          className="pt-2 pb-8"
        />
      }
    >
      {(chat) => <OpenChat key={chat.id} chat={chat} />}
    </ListCard>
  );
}

function OpenChat({ chat: { id, otherUser, status, price, percentage } }: { chat: ChatSummary }) {
  return (
    <li>
      <Link to={`/chat/${id}`} className="flex items-center gap-3 px-4 py-3 hover:bg-sky-700/50 sm:px-6">
        <Avatar name={otherUser.displayName} src={otherUser.profileImageUrl} />
        <div className="min-w-0 flex-1">
          <p dir="auto" className="truncate text-left text-sm font-semibold text-ink">
            {otherUser.displayName}
          </p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-muted">
            <Amount value={price} />
            <Badge tone={status === 'requested' ? 'hold' : 'nova'}>{STATES[status] ?? status}</Badge>
          </p>
          <ProgressBar label={`Progress with ${otherUser.displayName}`} value={percentage} className="mt-2 h-1.5" />
        </div>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
      </Link>
    </li>
  );
}
