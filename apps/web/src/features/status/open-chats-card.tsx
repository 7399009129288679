import { ChevronRight, MessagesSquare } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { ChatSummary } from '@/features/chats';
import { Amount, Avatar, Badge, Card, EmptyState, ProgressBar, Skeleton } from '@/shared/ui';
import { useMyChats } from './use-status';

const STATES: Partial<Record<ChatSummary['status'], string>> = {
  requested: 'Waiting for an answer',
  active: 'Active',
  successful: 'Rate it',
};

/** Chats to go back into. */
export function OpenChatsCard() {
  const { data: chats } = useMyChats();
  return (
    <Card title="Open chats" flush>
      {chats === undefined && <Skeleton className="m-4 h-14" />}
      {chats?.length === 0 && (
        <EmptyState icon={MessagesSquare} title="No open chats" text="Ask a member for a chat from their card." />
      )}
      <ul className="divide-y divide-line">
        {chats?.map((chat) => (
          <li key={chat.id}>
            <Link to={`/chat/${chat.id}`} className="flex items-center gap-3 px-4 py-3 hover:bg-sky-700/50 sm:px-6">
              <Avatar name={chat.otherUser.displayName} src={chat.otherUser.profileImageUrl} />
              <div className="min-w-0 flex-1">
                <p className="flex items-center gap-2">
                  <span className="truncate text-sm font-semibold text-ink">{chat.otherUser.displayName}</span>
                  <Badge tone={chat.status === 'requested' ? 'hold' : 'nova'}>
                    {STATES[chat.status] ?? chat.status}
                  </Badge>
                </p>
                <ProgressBar
                  label={`Progress with ${chat.otherUser.displayName}`}
                  value={chat.percentage}
                  className="mt-2 h-1.5"
                />
              </div>
              <Amount value={chat.price} className="text-sm text-ink-muted" />
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
