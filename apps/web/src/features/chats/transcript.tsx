import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { RelativeTime } from '@/shared/ui';
import { meIn, otherIn } from './chat-sides';
import type { ConversationProps } from './chat-stage';

/** Everything said as plain text, for who reads slowly, hears the page, or looks something up. */
export function Transcript({ chat, messages, otherIsTyping }: ConversationProps) {
  const list = useRef<HTMLElement>(null);
  const count = messages.length;
  useEffect(() => {
    // The list itself is moved, never the page.
    if (count > 0) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  const nameOf = (senderId: string) => (senderId === meIn(chat).id ? 'You' : otherIn(chat).displayName);
  return (
    <section
      ref={list}
      // A list that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label="Transcript"
      className="h-(--stage-height,40dvh) min-h-60 sm:h-[46dvh] sm:min-h-72 overflow-y-auto rounded-lg border border-line bg-sky-800"
    >
      <ol className="grid gap-1 p-3 sm:p-4">
        {count === 0 && <li className="text-sm text-ink-muted">Nothing has been said yet.</li>}
        {messages.map((message) => (
          <li key={message.key} className="text-sm">
            <bdi className="font-semibold text-ink">{nameOf(message.senderId)}</bdi>{' '}
            <RelativeTime iso={message.createdAt} className="text-xs text-ink-faint" />
            <p
              dir="auto"
              className={clsx(
                'break-words whitespace-pre-wrap',
                message.state === 'sent' ? 'text-ink' : 'text-ink-muted',
              )}
            >
              {message.text}
              {message.state === 'sending' && <span className="text-xs text-ink-faint"> · sending</span>}
              {message.state === 'failed' && <span className="text-xs text-loss"> · not sent</span>}
            </p>
          </li>
        ))}
        <li className="min-h-5 text-xs text-ink-muted">{otherIsTyping && 'Typing…'}</li>
      </ol>
    </section>
  );
}
