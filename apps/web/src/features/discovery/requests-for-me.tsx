import { clsx } from 'clsx';
import { useNavigate } from 'react-router-dom';
import { minutesAndSeconds, useAcceptChat, useDeclineChat, useSecondsUntil, type ChatRequest } from '@/features/chats';
import { Amount, Button, toast } from '@/shared/ui';
import { usePendingRequests } from './use-discovery';

/**
 * Requests that wait for the member: the oldest one, with Accept and Decline (rule chats-9). Shown on the member's own
 * card, or alone where that card is not shown.
 */
export function RequestsForMe({ isAlone = false }: { isAlone?: boolean }) {
  const { data: requests } = usePendingRequests();
  const [first] = requests ?? [];
  if (first === undefined) return null;
  return <OldestRequest request={first} others={(requests?.length ?? 1) - 1} isAlone={isAlone} />;
}

interface OldestRequestProps {
  request: ChatRequest;
  others: number;
  isAlone: boolean;
}

function OldestRequest({ request, others, isAlone }: OldestRequestProps) {
  const navigate = useNavigate();
  const accept = useAcceptChat(({ chatId }) => void navigate(`/chat/${chatId}`));
  const decline = useDeclineChat(({ message }) => toast({ title: 'Chat declined', description: message }));
  const left = useSecondsUntil(request.acceptBy) ?? 0;
  return (
    <section
      aria-label="A chat request for you"
      className={clsx(
        'z-1 grid grid-cols-1 gap-2 rounded-md border border-nova/50 bg-sky-950/90 p-2',
        isAlone && 'items-center bg-sky-800! p-4! sm:grid-cols-[1fr_auto]',
      )}
    >
      <div className="min-w-0">
        <p className={clsx('text-xs text-ink', 'wrap-anywhere', isAlone ? 'text-sm!' : 'line-clamp-2')}>
          <bdi className="font-semibold">{request.initiator.displayName}</bdi> would like to chat with you
        </p>
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-muted">
          <Amount value={request.price} />
          <span role="timer" className="text-hold tabular-nums">
            {minutesAndSeconds(left)} left
          </span>
          {others > 0 && <span>{others} more under Status</span>}
        </p>
      </div>
      <div className="flex gap-2 *:min-w-0 *:flex-1 *:px-1! max-sm:*:text-xs! sm:*:px-3!">
        <Button
          size="sm"
          disabled={left === 0 || accept.isPending}
          pending={decline.isPending}
          onClick={() => decline.mutate(request.chatId)}
        >
          Decline
        </Button>
        <Button
          size="sm"
          variant="primary"
          disabled={left === 0 || decline.isPending}
          pending={accept.isPending}
          onClick={() => accept.mutate(request.chatId)}
        >
          Accept
        </Button>
      </div>
    </section>
  );
}
