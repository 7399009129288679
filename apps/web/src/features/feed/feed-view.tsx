import { nextUtcDayMs } from '@app/domain';
import { useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ArrowUpToLine, Crown, Flame, type LucideIcon, Newspaper, Rocket, Sparkles } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { errorSentence, formatCount, serverNowMs } from '@/shared/api';
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

/** Posts of members. */
export function FeedView() {
  useKeptFeedSession();
  const keepsPlace = useKeptPlace();
  const feed = useFeed({ keepsPlace });
  const posts = feed.data && distinctPosts(feed.data.pages);
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
          {posts.map((post) => (
            <PostCard key={post.id} post={post} />
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
      className="rounded-lg border border-line bg-sky-800 p-4 sm:p-5"
    >
      {status.data === undefined ? <Skeleton className="h-40 rounded-md" /> : <Standing status={status.data} />}
    </section>
  );
}

const points = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

function Standing({ status }: { status: StatusBar }) {
  const { currentLevel, dailyPoints, dailyGoal, streakDays, boostTokens, prioritySlots } = status;
  const { icon: Icon, tone, reward, next } = LEVELS[currentLevel];
  const isReached = dailyPoints >= dailyGoal;
  return (
    <>
      <div className="flex items-center gap-3 cramped:flex-wrap">
        <span className={clsx('grid size-11 shrink-0 place-items-center rounded-full border', tone)}>
          <Icon aria-hidden="true" className="size-5" />
        </span>
        <div className="min-w-0 flex-1 cramped:basis-full">
          <h2 className="text-sm font-semibold text-ink">Level {currentLevel}</h2>
          <p className="text-xs text-ink-muted">{reward}</p>
          {next !== null && <p className="text-xs text-ink-faint">{next}</p>}
        </div>
        <p className="shrink-0 self-start text-right text-xs text-ink-muted tabular-nums cramped:text-left">
          <span className="text-lg font-semibold text-ink">{points.format(dailyPoints)}</span> / {dailyGoal}
          <span className="block">points today</span>
        </p>
      </div>
      <ProgressBar
        label={`Points today, of ${dailyGoal}`}
        value={dailyPoints}
        max={dailyGoal}
        tone={isReached ? 'gain' : 'nova'}
        className="mt-4"
      />
      <p className="mt-2 text-xs text-ink-faint">
        {isReached ? 'Today counts for your streak.' : `${dailyGoal} points make a streak day.`} The day ends at{' '}
        {formatTimeOfDay(nextUtcDayMs(serverNowMs()))}.
      </p>
      <dl className="mt-4 grid grid-cols-3 divide-line cramped:grid-cols-1 cramped:gap-3 not-cramped:divide-x">
        <Figure icon={Flame} name={streakDays === 1 ? 'streak day' : 'streak days'} count={streakDays} />
        <Figure icon={Rocket} name={boostTokens === 1 ? 'boost token' : 'boost tokens'} count={boostTokens} />
        <Figure
          icon={ArrowUpToLine}
          name={prioritySlots === 1 ? 'priority slot' : 'priority slots'}
          count={prioritySlots}
        />
      </dl>
      {prioritySlots > 0 && <UsePriority />}
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
    <div className="flex flex-col-reverse items-center gap-0.5 px-2 text-center cramped:flex-row-reverse cramped:justify-end cramped:gap-2 cramped:px-0">
      <dt className="text-xs text-ink-muted">{name}</dt>
      <dd
        className={clsx(
          'flex items-center gap-1.5 text-base font-semibold tabular-nums',
          count > 0 ? 'text-ink' : 'text-ink-faint',
        )}
      >
        <Icon aria-hidden="true" className={clsx('size-4', count > 0 && 'text-nova')} />
        {formatCount(count)}
      </dd>
    </div>
  );
}

function UsePriority() {
  const priority = useTakePriority();
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
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
