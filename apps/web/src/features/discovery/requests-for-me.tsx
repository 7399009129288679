import { useNavigate } from 'react-router-dom';
import { minutesAndSeconds, useAcceptChat, useDeclineChat, useSecondsUntil, type ChatRequest } from '@/features/chats';
import { useCurrentUser } from '@/shared/api';
import { Amount, Avatar, Button, toast } from '@/shared/ui';
import { usePendingRequests } from './use-discovery';

/** My own card while requests wait for me: the oldest one with Accept and Decline (S0 §2, `decisions.md` Chats). */
export function RequestsForMe() {
  const { data: user } = useCurrentUser();
  const { data: requests } = usePendingRequests();
  const [first] = requests ?? [];
  if (first === undefined || user === null || user === undefined) return null;
  const others = (requests?.length ?? 1) - 1;
  return <OwnCard request={first} name={user.displayName} picture={user.profileImageUrl} others={others} />;
}

interface OwnCardProps {
  request: ChatRequest;
  name: string;
  picture: string | null;
  others: number;
}

function OwnCard({ request, name, picture, others }: OwnCardProps) {
  const navigate = useNavigate();
  const accept = useAcceptChat(({ chatId }) => void navigate(`/chat/${chatId}`));
  const decline = useDeclineChat(({ message }) => toast({ title: 'Chat declined', description: message }));
  const left = useSecondsUntil(request.acceptBy) ?? 0;
  return (
    <section
      aria-label="A chat request for you"
      className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3 rounded-lg border border-nova/40 bg-sky-800 p-4 sm:grid-cols-[auto_1fr_auto]"
    >
      <Avatar name={name} src={picture} size="lg" />
      <div className="min-w-0">
        <p className="text-sm text-ink">
          <bdi className="font-semibold wrap-anywhere">{request.initiator.displayName}</bdi> would like to chat with you
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-xs text-ink-muted">
          <Amount value={request.price} />
          <span role="timer" className="text-hold tabular-nums">
            {minutesAndSeconds(left)} left
          </span>
          {others > 0 && <span>{others} more under Status</span>}
        </p>
      </div>
      <div className="col-span-2 flex gap-2 *:flex-1 sm:col-span-1 sm:*:flex-none">
        <Button
          disabled={left === 0 || accept.isPending}
          pending={decline.isPending}
          onClick={() => decline.mutate(request.chatId)}
        >
          Decline
        </Button>
        <Button
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
