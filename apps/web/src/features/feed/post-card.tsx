import { memo, useEffect, useRef } from 'react';
import type { Post } from './feed-types';
import { PostActions } from './post-actions';
import { PostCaption } from './post-caption';
import { PostHeader } from './post-header';
import { PostImage } from './post-image';
import { PostVideo } from './post-video';
import { useFeedSession } from './use-feed-session';
import { observeViews } from './view-tracking';

/** One post, of hundreds perhaps. Its views are tracked while it is on the screen. */
export const PostCard = memo(function PostCard({ post }: { post: Post }) {
  const card = useRef<HTMLElement>(null);
  const watched = useRef<number>(undefined);
  useTrackedViews(card, post, watched);
  const { author, contentType } = post;
  return (
    <article
      ref={card}
      aria-label={`Post by ${author.displayName}`}
      className="overflow-hidden rounded-lg border border-line bg-sky-800"
    >
      <PostHeader post={post} />
      {contentType === 'video' ? (
        <PostVideo
          post={post}
          onWatched={(percent) => {
            watched.current = Math.max(watched.current ?? 0, percent);
          }}
        />
      ) : (
        <PostImage post={post} />
      )}
      <div className="grid gap-3 p-4">
        <PostCaption post={post} />
        <PostActions post={post} />
      </div>
    </article>
  );
});

/** One's own posts earn nothing and cost nothing: their views are nobody's. */
function useTrackedViews(
  card: React.RefObject<HTMLElement | null>,
  { id, authorId, isOwn, isPaid }: Post,
  watched: React.RefObject<number | undefined>,
): void {
  const { views } = useFeedSession();
  const paid = useRef(isPaid);
  useEffect(() => {
    paid.current = isPaid;
  }, [isPaid]);
  useEffect(() => {
    if (isOwn || card.current === null) return undefined;
    const post = {
      id,
      authorId,
      // As it is when the impression fires: paying must not begin the visit anew.
      get isPaid() {
        return paid.current;
      },
      watchPercent: () => watched.current,
    };
    return observeViews(card.current, post, views);
  }, [card, id, authorId, isOwn, views, watched]);
}
