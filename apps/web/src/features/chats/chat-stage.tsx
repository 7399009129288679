import { clsx } from 'clsx';
import { Avatar } from '@/shared/ui';
import type { ChatParty, ChatView } from './chat-types';
import { floatingOf, type ShownMessage } from './floating';

export interface ConversationProps {
  chat: ChatView;
  messages: readonly ShownMessage[];
  otherIsTyping: boolean;
}

/**
 * Two panels, initiator and host, whose messages rise and fade (rule chats-29). With reduced motion, messages stay, the
 * newest at the bottom. The transcript has the same messages as text.
 */
export function ChatStage({ chat, messages, otherIsTyping }: ConversationProps) {
  const panel = (party: ChatParty, role: string, isMine: boolean) => (
    <Panel
      party={party}
      role={role}
      isMine={isMine}
      isTyping={!isMine && otherIsTyping}
      messages={floatingOf(messages, party.id)}
    />
  );
  return (
    <div className="grid h-(--stage-height,40dvh) min-h-60 sm:h-[46dvh] sm:min-h-72 grid-cols-2 gap-2 sm:gap-3">
      {panel(chat.initiator, 'Initiator', chat.side === 'initiator')}
      {panel(chat.host, 'Host', chat.side === 'host')}
    </div>
  );
}

interface PanelProps {
  party: ChatParty;
  role: string;
  isMine: boolean;
  isTyping: boolean;
  messages: readonly ShownMessage[];
}

function Panel({ party, role, isMine, isTyping, messages }: PanelProps) {
  return (
    <section
      aria-label={`${role}: ${party.displayName}`}
      className={clsx(
        'relative flex flex-col overflow-hidden rounded-lg border bg-sky-800/80',
        isMine ? 'border-nova/30' : 'border-line',
      )}
    >
      <header className="z-10 flex items-center gap-2 border-b border-line bg-sky-800 p-2 sm:p-3">
        <Avatar name={party.displayName} src={party.profileImageUrl} size="sm" />
        <div className="min-w-0">
          <p dir="auto" className="truncate text-left text-xs font-semibold text-ink sm:text-sm">
            {isMine ? 'You' : party.displayName}
          </p>
          <p className="text-xs text-ink-faint">{role}</p>
        </div>
      </header>
      {/* Hidden from assistive technology, because the transcript and the live region say the same. */}
      <ol
        aria-hidden="true"
        className="relative flex min-h-0 flex-1 flex-col justify-end gap-2 overflow-hidden p-2 sm:p-3"
      >
        {messages.map((message) => (
          <FloatingMessage key={message.key} message={message} isMine={isMine} />
        ))}
      </ol>
      <p aria-live="polite" className="min-h-6 px-3 pb-1 text-xs text-ink-muted">
        {isTyping && `${party.displayName} is typing…`}
      </p>
    </section>
  );
}

function FloatingMessage({ message, isMine }: { message: ShownMessage; isMine: boolean }) {
  return (
    <li
      dir="auto"
      className={clsx(
        'max-w-full self-start rounded-md px-3 py-1.5 text-sm break-words whitespace-pre-wrap motion-safe:animate-float',
        isMine ? 'bg-nova/14 text-ink' : 'bg-sky-700 text-ink',
        message.state === 'failed' && 'outline outline-loss',
        message.state === 'sending' && 'opacity-60',
      )}
    >
      {message.text}
    </li>
  );
}
