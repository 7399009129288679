import { formatNova } from '@/shared/api';
import { Button } from '@/shared/ui';
import type { ChatView } from './chat-types';

export interface EndedChatProps {
  chat: ChatView;
  onRate: () => void;
  onLeave: () => void;
}

/** In place of the message field once a chat takes no more messages: what became of it, and what is next. */
export function EndedChat({ chat, onRate, onLeave }: EndedChatProps) {
  const mustRate = chat.status === 'successful' && chat.myRating === null;
  return (
    <section
      aria-label="How it ended"
      className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-sky-800 p-3 sm:px-4"
    >
      <p className="text-sm text-ink-muted">{howItEnded(chat)}</p>
      {mustRate ? (
        <Button variant="primary" onClick={onRate}>
          Rate this chat
        </Button>
      ) : (
        <Button onClick={onLeave}>Back to Feed</Button>
      )}
    </section>
  );
}

const nova = (amount: number): string => `${formatNova(amount, { decimals: 'trim' })} Nova`;

/** One sentence on a chat that is over. */
export function howItEnded(chat: ChatView): string {
  const other = chat.side === 'host' ? chat.initiator : chat.host;
  const back = chat.side === 'initiator' ? 'Your Nova came back to you.' : 'The Nova went back.';
  switch (chat.status) {
    case 'successful':
      if (chat.myRating === null) return 'This chat was a success. Rate it to receive your reward.';
      return `You rated this chat. It is complete when ${other.displayName} has rated as well.`;
    case 'completed':
      return 'This chat is complete: both rewards have been paid.';
    case 'declined':
      return `${chat.side === 'host' ? 'You' : chat.host.displayName} declined this request. ${back}`;
    case 'expired':
      return `${chat.host.displayName} did not answer in time. ${back}`;
    case 'terminated': {
      const who = chat.terminatedBy === chat.side ? 'You' : other.displayName;
      if (chat.refunded === null || chat.refunded >= chat.price) return `${who} ended this chat. ${back}`;
      return `${who} ended this chat: ${nova(chat.refunded)} of ${nova(chat.price)} went back.`;
    }
    case 'requested':
    case 'active':
      return '';
  }
}
