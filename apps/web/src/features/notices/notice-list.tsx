import {
  BellOff,
  CircleCheck,
  CircleX,
  Gift,
  Hourglass,
  type LucideIcon,
  MessageCircle,
  MessageCircleQuestionMark,
  MessageCircleX,
  PhoneMissed,
  PhoneOff,
  ScrollText,
  Settings,
  ShieldAlert,
  Sparkles,
  Webhook,
} from 'lucide-react';
import { Link } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import { EmptyState, ErrorNote, RelativeTime, Skeleton } from '@/shared/ui';
import { type Notice, useNotices } from './use-notices';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  chat_request: MessageCircleQuestionMark,
  chat_accepted: MessageCircle,
  chat_declined: CircleX,
  chat_expired: Hourglass,
  chat_ended: MessageCircleX,
  chat_succeeded: CircleCheck,
  reward_released: Sparkles,
  call_missed: PhoneMissed,
  call_ended: PhoneOff,
  gift_received: Gift,
  quest_completed: ScrollText,
  webhook_off: Webhook,
  webhook_dropped: Webhook,
  security: ShieldAlert,
};

export interface NoticeListProps {
  /** Called when a link was followed. */
  onLeave: () => void;
}

/** What the member was told of, newest first; each leads to its page. */
export function NoticeList({ onLeave }: NoticeListProps) {
  const { data, error, isFetching, refetch } = useNotices(true);
  return (
    <>
      <div className="flex shrink-0 items-center justify-between gap-3 border-b border-line py-1 pr-1 pl-4">
        <h2 className="text-base font-semibold text-ink">Notices</h2>
        <Link
          to="/profile?tab=settings#notifications"
          onClick={onLeave}
          className="grid size-11 place-items-center rounded-sm text-ink-faint hover:text-ink"
        >
          <Settings aria-hidden="true" className="size-5" />
          <span className="sr-only">Notification settings</span>
        </Link>
      </div>
      <div className="min-h-0 overflow-y-auto">
        {data === undefined && error === null && <Waiting />}
        {data === undefined && error !== null && (
          <ErrorNote className="m-4" onRetry={() => void refetch()} retrying={isFetching}>
            {errorSentence(error, 'Your notices could not be loaded.')}
          </ErrorNote>
        )}
        {data?.notices.length === 0 && (
          <EmptyState
            icon={BellOff}
            title="Nothing yet"
            text="Chat requests, gifts, rewards and news of your account appear here."
            className="py-10"
          />
        )}
        {data !== undefined && data.notices.length > 0 && (
          <ul className="divide-y divide-line">
            {data.notices.map((notice) => (
              <li key={notice.id}>
                <NoticeLink notice={notice} onLeave={onLeave} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

function NoticeLink({ notice, onLeave }: { notice: Notice; onLeave: () => void }) {
  const { kind, title, text, path, createdAt, isRead } = notice;
  const Icon = ICONS[kind] ?? MessageCircle;
  return (
    <Link to={path} onClick={onLeave} className="flex gap-3 px-4 py-3 transition-colors hover:bg-sky-700">
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-sky-700 text-ink-muted">
        <Icon aria-hidden="true" className="size-4" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-3">
          <span className="text-sm font-medium text-ink">{title}</span>
          <span className="shrink-0 text-xs text-ink-faint">
            <RelativeTime iso={createdAt} />
          </span>
        </span>
        <span className="mt-0.5 block text-sm wrap-anywhere text-ink-muted">{text}</span>
      </span>
      <span className="flex w-2 shrink-0 items-center">
        {!isRead && (
          <span className="size-2 rounded-full bg-nova">
            <span className="sr-only">Unread</span>
          </span>
        )}
      </span>
    </Link>
  );
}

function Waiting() {
  return (
    <div className="grid gap-3 p-4">
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </div>
  );
}
