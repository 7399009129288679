import { Video } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useRealtimeEvent } from '@/shared/realtime';
import { Button, buttonClasses } from '@/shared/ui';
import { otherIn } from './chat-sides';
import type { ChatView } from './chat-types';

/** The other side has started a video call: join it, or not. */
export function IncomingCall({ chat }: { chat: ChatView }) {
  const [isCalling, setCalling] = useState(false);
  const other = otherIn(chat);
  useRealtimeEvent('video_chat_started', ({ chatId, startedBy }) => {
    if (chatId === chat.id && startedBy === other.id) setCalling(true);
  });
  useRealtimeEvent('video_ended', ({ chatId }) => {
    if (chatId === chat.id) setCalling(false);
  });
  if (!isCalling) return null;
  return (
    <section
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-nova/40 bg-sky-800 p-3 sm:px-4"
    >
      <p className="flex items-center gap-2 text-sm text-ink">
        <Video aria-hidden="true" className="size-4 text-nova" />
        {other.displayName} is calling you.
      </p>
      <div className="flex gap-2">
        <Button size="sm" onClick={() => setCalling(false)}>
          Not now
        </Button>
        <Link to={`/video-chat/${other.id}`} className={buttonClasses({ size: 'sm', variant: 'primary' })}>
          Join call
        </Link>
      </div>
    </section>
  );
}
