import { isolated } from '@app/domain';
import { Amount, Avatar, Button, toast } from '@/shared/ui';
import { otherIn } from './chat-sides';
import type { ChatView } from './chat-types';
import { minutesAndSeconds, useSecondsUntil } from './countdown';
import { useAcceptChat, useDeclineChat } from './use-chat-actions';

interface RequestedChatProps {
  chat: ChatView;
  onDeclined: () => void;
}

/** A request that waits for the host; after two minutes, all held Nova is returned (rule chats-6). */
export function RequestedChat({ chat, onDeclined }: RequestedChatProps) {
  const left = useSecondsUntil(chat.acceptBy) ?? 0;
  const other = otherIn(chat);
  const isHost = chat.side === 'host';
  return (
    <div className="flex min-h-0 flex-1 overflow-y-auto p-4">
      <div className="m-auto grid w-full max-w-md justify-items-center gap-4 py-4 text-center">
        <Avatar
          name={other.displayName}
          src={other.profileImageUrl}
          size="xl"
          className={isHost ? '' : 'motion-safe:animate-ring'}
        />
        <p className="font-display text-2xl font-semibold text-ink tabular-nums" role="timer">
          {minutesAndSeconds(left)}
        </p>
        <p className="text-sm text-ink-muted">
          {isHost
            ? `${isolated(chat.initiator.displayName)} would like to talk with you. Half of the payment is yours when the chat succeeds.`
            : `${isolated(chat.host.displayName)} has been asked. This page opens when they accept. If they do not, you get everything back.`}
        </p>
        <p className="flex items-center gap-2 text-sm text-ink-muted">
          <span>Held:</span> <Amount value={chat.price} tone="hold" className="font-semibold" />
        </p>
        {isHost && <Answer chat={chat} isOver={left === 0} onDeclined={onDeclined} />}
      </div>
    </div>
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
      <Button
        size="lg"
        pending={decline.isPending}
        disabled={isOver || accept.isPending}
        onClick={() => decline.mutate(chat.id)}
      >
        <span>Decline</span>
      </Button>
      <Button
        size="lg"
        variant="primary"
        pending={accept.isPending}
        disabled={isOver || decline.isPending}
        onClick={() => accept.mutate(chat.id)}
      >
        <span>Accept</span>
      </Button>
    </div>
  );
}
