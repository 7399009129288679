import { Video } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button, buttonClasses } from '@/shared/ui';
import { meIn, otherIn } from './chat-sides';
import type { ChatView } from './chat-types';
import { useIncomingCall } from './use-incoming-call';

/** The other side has started a video call: join it, or not. */
export function IncomingCall({ chat }: { chat: ChatView }) {
  const other = otherIn(chat);
  const call = useIncomingCall({ chatId: chat.id, myId: meIn(chat).id });
  if (!call.isCalling) return null;
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
        <Button size="sm" onClick={call.decline}>
          Not now
        </Button>
        <Link to={`/video-chat/${other.id}`} className={buttonClasses({ size: 'sm', variant: 'primary' })}>
          Join call
        </Link>
      </div>
    </section>
  );
}
