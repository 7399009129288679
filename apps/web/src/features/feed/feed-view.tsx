import { Newspaper } from 'lucide-react';
import { errorSentence } from '@/shared/api';
import { Button, Card, EmptyState, ErrorNote } from '@/shared/ui';
import { useKeptPlace } from './kept-place';
import { distinctPosts } from './post-cache';
import { PostCard } from './post-card';
import { PostSkeleton } from './post-skeleton';
import { ReadingPrice } from './reading-price';
import { StatusStrip } from './status-strip';
import { useFeed } from './use-feed';
import { useKeptFeedSession } from './use-feed-session';

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

/** By its button only: reading costs Nova, and nobody pays for what they did not ask for. */
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
