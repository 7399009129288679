import { NOVA_PER_DOLLAR, REQUEST_COOLDOWN_MS } from '@app/domain';
import { CircleCheck, CircleSlash, Clock, type LucideIcon, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Amount, Button } from '@/shared/ui';
import type { ChatStatus, ChatView } from './chat-types';
import { useSecondsUntil } from './countdown';
import { howItEnded } from './how-it-ended';
import { RequestChatDialog } from './request-chat-dialog';

const OUTCOMES: Partial<Record<ChatStatus, { title: string; icon: LucideIcon; tone: string }>> = {
  successful: { title: 'A successful chat', icon: CircleCheck, tone: 'text-gain' },
  completed: { title: 'Chat completed', icon: CircleCheck, tone: 'text-gain' },
  declined: { title: 'Request declined', icon: CircleSlash, tone: 'text-ink-muted' },
  expired: { title: 'No answer in time', icon: Clock, tone: 'text-ink-muted' },
  terminated: { title: 'This chat has ended', icon: CircleSlash, tone: 'text-ink-muted' },
};

export interface ChatOutcomeProps {
  chat: ChatView;
  onRate: () => void;
  onLeave: () => void;
}

/** In the middle of a chat that takes no more messages: how it ended, what came back, and the next step. */
export function ChatOutcome({ chat, onRate, onLeave }: ChatOutcomeProps) {
  const outcome = OUTCOMES[chat.status];
  if (outcome === undefined) return null;
  const { title, icon: Icon, tone } = outcome;
  const mustRate = chat.status === 'successful' && chat.myRating === null;
  const back = chat.side === 'initiator' ? (chat.refunded ?? 0) : 0;
  const isOver = chat.status !== 'successful' && chat.status !== 'completed';
  return (
    <section
      aria-label="How it ended"
      className="mx-auto mt-4 grid w-full max-w-md animate-rise justify-items-center gap-3 rounded-lg border border-line bg-sky-800 p-5 text-center"
    >
      <Icon aria-hidden="true" className={`size-8 ${tone}`} />
      <h2 className="font-display text-lg font-semibold text-ink">{title}</h2>
      <p className="text-sm text-ink-muted">{howItEnded(chat)}</p>
      {back > 0 && (
        <p className="flex items-center gap-2 rounded-full bg-sky-700 px-3 py-1.5 text-sm text-ink-muted">
          <Undo2 aria-hidden="true" className="size-4 text-gain" />
          <Amount value={back} tone="gain" className="font-semibold" />
          <span>came back to you</span>
        </p>
      )}
      <div className="mt-1 flex flex-wrap justify-center gap-2">
        {mustRate ? (
          <Button variant="primary" onClick={onRate}>
            <span>Rate this chat</span>
          </Button>
        ) : (
          <Button onClick={onLeave}>
            <span>Back to Feed</span>
          </Button>
        )}
        {isOver && chat.side === 'initiator' && <AskAgain chat={chat} />}
      </div>
    </section>
  );
}

/** The next request, once the minute after a declined or expired one is over (rule chats-8). */
function AskAgain({ chat }: { chat: ChatView }) {
  const [isAsking, setAsking] = useState(false);
  const cools = chat.endedAt !== null && chat.status !== 'terminated';
  const until = cools ? new Date(Date.parse(chat.endedAt ?? '') + REQUEST_COOLDOWN_MS).toISOString() : null;
  const left = useSecondsUntil(until) ?? 0;
  return (
    <>
      <Button variant="primary" disabled={left > 0} onClick={() => setAsking(true)}>
        <span className="tabular-nums">{left > 0 ? `Ask again in ${left} s` : 'Ask again'}</span>
      </Button>
      {isAsking && (
        // The price of then: should it have changed, the server says so before anything is paid.
        <RequestChatDialog
          host={{ ...chat.host, minimumChatPrice: chat.price / NOVA_PER_DOLLAR }}
          open
          onOpenChange={setAsking}
        />
      )}
    </>
  );
}
