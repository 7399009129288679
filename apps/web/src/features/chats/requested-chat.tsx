import { Hourglass } from 'lucide-react';
import { Amount, Button, Card, toast } from '@/shared/ui';
import { minutesAndSeconds, useSecondsUntil } from './countdown';
import type { ChatView } from './chat-types';
import { useAcceptChat, useDeclineChat } from './use-chat-actions';

export interface RequestedChatProps {
  chat: ChatView;
  onDeclined: () => void;
}

/** A request that waits for the host: two minutes, and then everything goes back (rule chats-6). */
export function RequestedChat({ chat, onDeclined }: RequestedChatProps) {
  const left = useSecondsUntil(chat.acceptBy) ?? 0;
  const isHost = chat.side === 'host';
  return (
    <Card className="text-center">
      <div className="mx-auto grid max-w-md justify-items-center gap-4 py-6">
        <Hourglass aria-hidden="true" className="size-8 text-hold" />
        <p className="font-display text-2xl font-semibold text-ink tabular-nums" role="timer">
          {minutesAndSeconds(left)}
        </p>
        <p className="text-sm text-ink-muted">
          {isHost
            ? `${chat.initiator.displayName} would like to talk with you. Half of the payment is yours when the chat succeeds.`
            : `${chat.host.displayName} has been asked. This page opens when they accept. If they do not, you get everything back.`}
        </p>
        <p className="flex items-center gap-2 text-sm text-ink-muted">
          Held: <Amount value={chat.price} tone="hold" className="font-semibold" />
        </p>
        {isHost && <Answer chat={chat} isOver={left === 0} onDeclined={onDeclined} />}
      </div>
    </Card>
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
      <Button pending={decline.isPending} disabled={isOver || accept.isPending} onClick={() => decline.mutate(chat.id)}>
        Decline
      </Button>
      <Button
        variant="primary"
        pending={accept.isPending}
        disabled={isOver || decline.isPending}
        onClick={() => accept.mutate(chat.id)}
      >
        Accept
      </Button>
    </div>
  );
}
