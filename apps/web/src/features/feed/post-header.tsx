import { ArrowUpToLine, Rocket, TrendingUp } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatCount, serverNowMs } from '@/shared/api';
import { Avatar, Badge, formatDateTime, RelativeTime } from '@/shared/ui';
import type { Post } from './feed-types';

/** Who posted it and when; the time is the post's link. */
export function PostHeader({ post }: { post: Post }) {
  const { id, author, createdAt, isOwn } = post;
  return (
    <header className="flex items-center gap-3 p-4 cramped:flex-wrap">
      <span className="relative shrink-0">
        <Avatar name={author.displayName} src={author.profileImageUrl} />
        {author.isOnline && (
          <span
            title="Online"
            className="absolute right-0 bottom-0 size-3 rounded-full border-2 border-sky-800 bg-gain"
          />
        )}
      </span>
      <div className="min-w-0 flex-1 cramped:basis-full">
        <p className="flex items-baseline gap-1.5 text-sm">
          <bdi className="truncate font-semibold text-ink" title={author.displayName}>
            {author.displayName}
          </bdi>
          {author.isOnline && <span className="sr-only">online</span>}
          {isOwn && <span className="shrink-0 text-xs text-ink-faint">you</span>}
        </p>
        <Link
          to={`/post/${id}`}
          className="-my-1 inline-block py-1 text-xs text-ink-muted underline-offset-2 hover:text-ink hover:underline"
        >
          <RelativeTime iso={createdAt} />
        </Link>
      </div>
      <Badges post={post} />
    </header>
  );
}

const STAGES: Record<Post['promotionStage'], { tone: 'neutral' | 'hold' | 'nova'; words: string }> = {
  stage_a: { tone: 'neutral', words: 'Stage A' },
  stage_b: { tone: 'hold', words: 'Stage B' },
  stage_c: { tone: 'nova', words: 'Stage C' },
};

/** Every stage is shown as Trending (rule feed-8). */
function Badges({ post: { promotionStage, engagementScore, isPriority, boostedUntil } }: { post: Post }) {
  const { tone, words } = STAGES[promotionStage];
  const isBoosted = boostedUntil !== null && Date.parse(boostedUntil) > serverNowMs();
  return (
    <ul className="flex shrink-0 flex-col items-end gap-1 cramped:items-start sm:flex-row sm:items-center">
      {isPriority && (
        <li title="Its author used a priority slot">
          <Badge>
            <ArrowUpToLine aria-hidden="true" className="size-3" />
            Priority
          </Badge>
        </li>
      )}
      {isBoosted && (
        <li title={`Its points count double until ${formatDateTime(boostedUntil)}`}>
          <Badge tone="gain">
            <Rocket aria-hidden="true" className="size-3" />
            Boosted
          </Badge>
        </li>
      )}
      <li title={`${words}: ${formatCount(engagementScore)} points of engagement`}>
        <Badge tone={tone}>
          <TrendingUp aria-hidden="true" className="size-3" />
          Trending
        </Badge>
      </li>
    </ul>
  );
}
