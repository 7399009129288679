import { Button } from '@/shared/ui';
import type { ChatView } from './chat-types';
import { howItEnded } from './how-it-ended';

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
