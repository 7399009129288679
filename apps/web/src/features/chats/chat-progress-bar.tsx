import { SUCCESS_CHARACTERS, SUCCESS_EXCHANGES } from '@app/domain';
import { ProgressBar } from '@/shared/ui';
import { minutesAndSeconds, useSecondsUntil } from './countdown';
import type { ChatView } from './chat-types';

/** How far the chat is on its way to success: five exchanges and 300 characters, each half of the bar (rule chats-14). */
export function ChatProgressBar({ chat }: { chat: ChatView }) {
  const { exchangeCount, totalCharacterCount, percentage, status } = chat;
  const exchanges = Math.min(exchangeCount, SUCCESS_EXCHANGES);
  const characters = Math.min(totalCharacterCount, SUCCESS_CHARACTERS);
  return (
    <section aria-label="Progress" className="rounded-lg border border-line bg-sky-800 p-3 sm:px-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-xs text-ink-muted tabular-nums">
        <p>
          <span className="font-medium text-ink">
            {exchanges} / {SUCCESS_EXCHANGES}
          </span>{' '}
          exchanges
          <span aria-hidden="true" className="px-2 text-ink-faint">
            ·
          </span>
          <span className="font-medium text-ink">
            {characters} / {SUCCESS_CHARACTERS}
          </span>{' '}
          characters
        </p>
        <FirstMessageDeadline chat={chat} />
        <p className="font-semibold text-ink">{Math.floor(percentage)}%</p>
      </div>
      <ProgressBar
        label="Chat progress"
        value={percentage}
        tone={status === 'terminated' ? 'faint' : 'nova'}
        className="mt-2"
      />
    </section>
  );
}

/** The host's first message is due three minutes after acceptance (rule chats-10). */
function FirstMessageDeadline({ chat }: { chat: ChatView }) {
  const hostHasWritten = chat.messages.some(({ senderId }) => senderId === chat.hostId);
  const isWaiting = chat.status === 'active' && !hostHasWritten;
  const left = useSecondsUntil(isWaiting ? chat.verifyBy : null);
  if (left === null) return null;
  const who = chat.side === 'host' ? 'Your' : "The host's";
  return (
    <p className="text-hold">
      {who} first message is due in <span className="font-semibold">{minutesAndSeconds(left)}</span>
    </p>
  );
}
