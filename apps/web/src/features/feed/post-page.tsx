import { Newspaper } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import { buttonClasses, Card, EmptyState, ErrorNote, PageHeader } from '@/shared/ui';
import { PostCard } from './post-card';
import { PostSkeleton } from './post-skeleton';
import { ReadingPrice } from './reading-price';
import { usePost } from './use-feed';
import { useKeptFeedSession } from './use-feed-session';

/** The page of one post (rule feed-3). */
export function PostPage() {
  const { id = '' } = useParams();
  return (
    <div className="mx-auto max-w-xl">
      <PageHeader title="Post" backTo="/feed" backLabel="Back to the feed" />
      {/* A different post starts a new visit. */}
      <OnePost key={id} postId={id} />
    </div>
  );
}

function OnePost({ postId }: { postId: string }) {
  useKeptFeedSession();
  const query = usePost(postId);
  const { data: post } = query;
  if (post === null) return <PostNotFound />;
  if (post !== undefined) {
    return (
      <div className="grid grid-cols-1 gap-4">
        <PostCard post={post} isFirst />
        {!post.isPaid && <ReadingPrice />}
      </div>
    );
  }
  if (query.isError) {
    return (
      <ErrorNote onRetry={() => void query.refetch()} retrying={query.isFetching}>
        {errorSentence(query.error, 'This post could not be loaded.')}
      </ErrorNote>
    );
  }
  return (
    <section aria-busy="true" aria-label="Loading the post">
      <PostSkeleton />
    </section>
  );
}

function PostNotFound() {
  return (
    <Card>
      <EmptyState
        icon={Newspaper}
        title="Post not found"
        text="This post may have been deleted."
        action={
          <Link to="/feed" className={buttonClasses({ variant: 'primary' })}>
            Back to Feed
          </Link>
        }
      />
    </Card>
  );
}
