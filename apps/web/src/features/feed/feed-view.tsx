import { nextUtcDayMs } from '@app/domain';
import { useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ArrowUpToLine, ChevronDown, Crown, Flame, type LucideIcon, Newspaper, Rocket, Sparkles } from 'lucide-react';
import { useDeferredValue, useEffect, useId, useLayoutEffect, useState } from 'react';
import { errorSentence, formatCount, serverNowMs } from '@/shared/api';
import { madeOnce } from '@/shared/made-once';
import { Button, Card, EmptyState, ErrorNote, formatTimeOfDay, ProgressBar, Skeleton } from '@/shared/ui';
import { feedKeys } from './feed-keys';
import type { StatusBar } from './feed-types';
import { distinctPosts } from './post-cache';
import { PostCard } from './post-card';
import { PostSkeleton } from './post-skeleton';
import { ReadingPrice } from './reading-price';
import { useFeed, useStatusBar } from './use-feed';
import { useFeedSession, useKeptFeedSession } from './use-feed-session';
import { useTakePriority } from './use-post-actions';

/** The first posts are shown at once, all others right after them; a member who comes back to a place needs all. */
const FIRST_POSTS = 2;

/** Posts of members. */
export function FeedView() {
  useKeptFeedSession();
  const keepsPlace = useKeptPlace();
  const feed = useFeed({ keepsPlace });
  const posts = feed.data && distinctPosts(feed.data.pages);
  const shown = useDeferredValue(Infinity, keepsPlace ? Infinity : FIRST_POSTS);
  return (
    <div className="mx-auto grid max-w-xl grid-cols-1 gap-4 sm:gap-6">
      <StatusStrip />
      <ReadingPrice />
      {posts === undefined && !feed.isError && (
        <section aria-busy="true" aria-label="Loading posts" className="grid gap-4 sm:gap-6">
          <PostSkeleton />
          <PostSkeleton />
        </section>
      )}
      {posts === undefined && feed.isError && (
        <ErrorNote onRetry={() => void feed.refetch()} retrying={feed.isFetching}>
          {errorSentence(feed.error, 'Posts could not be loaded.')}
        </ErrorNote>
      )}
      {posts?.length === 0 && (
        <Card>
          <EmptyState
            icon={Newspaper}
            title="No posts yet"
            text="Members’ posts appear here, the newest and most engaging first."
          />
        </Card>
      )}
      {posts !== undefined && posts.length > 0 && (
        <div role="feed" aria-label="Posts" aria-busy={feed.isFetchingNextPage} className="grid gap-4 sm:gap-6">
          {posts.slice(0, shown).map((post, index) => (
            <PostCard key={post.id} post={post} isFirst={index === 0} />
          ))}
        </div>
      )}
      <MorePosts feed={feed} isAll={posts !== undefined && posts.length > 0 && !feed.hasNextPage} />
    </div>
  );
}

/** Loads more only by its button: reading costs Nova, and members pay only for what they asked for. */
function MorePosts({ feed, isAll }: { feed: ReturnType<typeof useFeed>; isAll: boolean }) {
  if (isAll) return <p className="pb-4 text-center text-sm text-ink-faint">You have seen every post.</p>;
  if (!feed.hasNextPage) return null;
  if (feed.isFetchNextPageError) {
    return (
      <ErrorNote onRetry={() => void feed.fetchNextPage()} retrying={feed.isFetchingNextPage}>
        {errorSentence(feed.error, 'More posts could not be loaded.')}
      </ErrorNote>
    );
  }
  return (
    <Button size="lg" pending={feed.isFetching} onClick={() => void feed.fetchNextPage()}>
      Load More Posts
    </Button>
  );
}

/**
 * Keeps the scroll position of the feed for members who come back to it.
 *
 * @returns whether there is one to come back to: then the list stays as it was
 */
function useKeptPlace(): boolean {
  const client = useQueryClient();
  const session = useFeedSession();
  const [cameBackTo] = useState(() => (client.getQueryData(feedKeys.feed) === undefined ? 0 : session.placePx));
  useLayoutEffect(() => {
    const keep = (): void => {
      session.placePx = window.scrollY;
    };
    window.addEventListener('scroll', keep, { passive: true });
    // Removed in time: the next page is shorter and changes the scroll position.
    return () => window.removeEventListener('scroll', keep);
  }, [session]);
  useEffect(() => {
    if (cameBackTo === 0) return undefined;
    // Runs after the shell, which scrolls every new page to its top.
    const frame = requestAnimationFrame(() => window.scrollTo(0, cameBackTo));
    return () => cancelAnimationFrame(frame);
  }, [cameBackTo]);
  return cameBackTo > 0;
}

/** The engagement status bar (rule feed-12). */
function StatusStrip() {
  const status = useStatusBar();
  if (status.data === undefined && status.isError) {
    return (
      <ErrorNote onRetry={() => void status.refetch()} retrying={status.isFetching}>
        {errorSentence(status.error, 'Your engagement could not be loaded.')}
      </ErrorNote>
    );
  }
  return (
    <section
      aria-label="Your engagement"
      aria-busy={status.data === undefined}
      className="rounded-lg border border-line bg-sky-800"
    >
      {status.data === undefined ? <Skeleton className="h-11 rounded-md" /> : <Standing status={status.data} />}
    </section>
  );
}

const points = madeOnce(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }));

/** One thin line; its button opens what the level brings, and the day's slot. */
function Standing({ status }: { status: StatusBar }) {
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const { currentLevel, dailyPoints, dailyGoal, streakDays, boostTokens, prioritySlots } = status;
  const { icon: Icon, tone, reward, next } = LEVELS[currentLevel];
  const isReached = dailyPoints >= dailyGoal;
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 pl-3 text-xs text-ink-muted tabular-nums max-[23rem]:pt-2 max-[23rem]:pr-3">
        <h2 className="flex items-center gap-1.5 font-semibold text-ink">
          <span className={clsx('grid size-6 place-items-center rounded-full border', tone)}>
            <Icon aria-hidden="true" className="size-3.5" />
          </span>
          <span className="sr-only">Level </span>
          <span>{currentLevel}</span>
        </h2>
        <ProgressBar
          label={`Points today, of ${dailyGoal}`}
          value={dailyPoints}
          max={dailyGoal}
          tone={isReached ? 'gain' : 'nova'}
          className="h-1.5 min-w-10 flex-1"
        />
        <p title="Points today">
          <span className="font-semibold text-ink">{points().format(dailyPoints)}</span>
          <span> / {dailyGoal}</span>
          <span className="sr-only"> points today</span>
        </p>
        <dl className="flex gap-2.5">
          <Figure icon={Flame} name="Streak days" count={streakDays} />
          <Figure icon={Rocket} name="Boost tokens" count={boostTokens} />
          <Figure icon={ArrowUpToLine} name="Priority slots" count={prioritySlots} />
        </dl>
        <button
          type="button"
          aria-label="Your perks"
          aria-expanded={isOpen}
          aria-controls={isOpen ? panelId : undefined}
          className="ml-auto grid size-11 place-items-center rounded-sm text-ink-faint hover:text-ink max-[23rem]:-mr-3"
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDown aria-hidden="true" className={clsx('size-4 transition-transform', isOpen && 'rotate-180')} />
        </button>
      </div>
      {isOpen && (
        <div id={panelId} className="grid gap-1 border-t border-line p-3 text-xs text-ink-muted">
          <p className="text-sm text-ink">{`Level ${currentLevel}: ${reward}`}</p>
          {next !== null && <p>{next}</p>}
          <p>
            {`${isReached ? 'Today counts for your streak.' : `${dailyGoal} points make a streak day.`} The day ends at ${formatTimeOfDay(nextUtcDayMs(serverNowMs()))}.`}
          </p>
          {prioritySlots > 0 && <UsePriority />}
        </div>
      )}
    </>
  );
}

interface FigureProps {
  icon: LucideIcon;
  name: string;
  count: number;
}

function Figure({ icon: Icon, name, count }: FigureProps) {
  return (
    <div title={name} className="flex items-center gap-1">
      <dt>
        <Icon aria-hidden="true" className={clsx('size-3.5', count > 0 ? 'text-nova' : 'text-ink-faint')} />
        <span className="sr-only">{name}</span>
      </dt>
      <dd className={count > 0 ? 'font-semibold text-ink' : 'text-ink-faint'}>{formatCount(count)}</dd>
    </div>
  );
}

function UsePriority() {
  const priority = useTakePriority();
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
      <p className="min-w-0 flex-1 text-xs text-ink-muted">
        Put your newest post first in everyone’s feed for an hour.
      </p>
      <Button size="sm" pending={priority.isPending} onClick={() => priority.mutate()}>
        Use priority slot
      </Button>
    </div>
  );
}

interface LevelLook {
  icon: LucideIcon;
  /** The text and border of the level's mark. */
  tone: string;
  reward: string;
  /** How to reach the next level. */
  next: string | null;
}

/** The look of each level (rules feed-10, feed-11). */
const LEVELS: Readonly<Record<StatusBar['currentLevel'], LevelLook>> = {
  1: {
    icon: Sparkles,
    tone: 'border-line-strong bg-sky-700 text-ink',
    reward: '+5% on every day’s points',
    next: 'Level 2: a 3-day streak',
  },
  2: {
    icon: Rocket,
    tone: 'border-gain/40 bg-gain/12 text-gain',
    reward: 'A boost token every day',
    next: 'Level 3: a 7-day streak',
  },
  3: {
    icon: Crown,
    tone: 'border-nova/40 bg-nova/15 text-nova',
    reward: 'Priority placement every day',
    next: null,
  },
};
