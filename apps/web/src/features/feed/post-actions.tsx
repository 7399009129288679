import { clsx } from 'clsx';
import { Eye, Heart, MessageCircle, Rocket, Share2, Star } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { serverNowMs } from '@/shared/api';
import { Button } from '@/shared/ui';
import type { Post } from './feed-types';
import { RatePostDialog } from './rate-post-dialog';
import { LINK_COPIED, sharePost } from './share-post';
import { useStatusBar } from './use-feed';
import { useFeedSession } from './use-feed-session';
import { useBoostPost, useToggleLike } from './use-post-actions';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** What a post has come to, and what can be done with it. */
export function PostActions({ post }: { post: Post }) {
  const { isOwn, likeCount, viewCount, commentCount, avgRating, ratingCount } = post;
  return (
    <div className="grid gap-2">
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
        <Figure icon={<Eye aria-hidden="true" className="size-4" />} name="Views" value={compact.format(viewCount)} />
        <Figure icon={<Heart aria-hidden="true" className="size-4" />} name="Likes" value={compact.format(likeCount)} />
        <Figure
          icon={<MessageCircle aria-hidden="true" className="size-4" />}
          name="Comments"
          value={compact.format(commentCount)}
        />
        <Figure
          icon={<Star aria-hidden="true" className="size-4" />}
          name="Average rating"
          value={avgRating === null ? 'Not rated' : `${avgRating} (${compact.format(ratingCount)})`}
        />
      </dl>
      <div className="-mx-3 -mb-2 flex flex-wrap">
        {isOwn ? (
          <BoostAction post={post} />
        ) : (
          <>
            <LikeAction post={post} />
            <RateAction post={post} />
          </>
        )}
        <ShareAction post={post} />
      </div>
    </div>
  );
}

interface FigureProps {
  icon: ReactNode;
  name: string;
  value: string;
}

function Figure({ icon, name, value }: FigureProps) {
  return (
    <div title={name} className="flex items-center gap-1.5 tabular-nums">
      <dt>
        {icon}
        <span className="sr-only">{name}</span>
      </dt>
      <dd>{value}</dd>
    </div>
  );
}

function LikeAction({ post }: { post: Post }) {
  const like = useToggleLike(post);
  const { isLikedByUser } = post;
  return (
    <Button
      variant="ghost"
      aria-pressed={isLikedByUser}
      className={clsx(isLikedByUser && 'text-nova')}
      icon={<Heart aria-hidden="true" className={clsx('size-5', isLikedByUser && 'fill-current')} />}
      onClick={() => {
        // One press at a time: the second of a double press would undo the first.
        if (!like.isPending) like.mutate(!isLikedByUser);
      }}
    >
      Like
    </Button>
  );
}

function RateAction({ post }: { post: Post }) {
  const [isOpen, setOpen] = useState(false);
  const { myRating } = post;
  return (
    <>
      <Button
        variant="ghost"
        className={clsx(myRating !== null && 'text-nova')}
        icon={<Star aria-hidden="true" className={clsx('size-5', myRating !== null && 'fill-current')} />}
        onClick={() => setOpen(true)}
      >
        {myRating === null ? 'Rate' : `Rated ${myRating}`}
      </Button>
      {isOpen && <RatePostDialog post={post} onClose={() => setOpen(false)} />}
    </>
  );
}

function ShareAction({ post }: { post: Post }) {
  const session = useFeedSession();
  const share = async () => {
    if (!(await sharePost(post)) || post.isOwn) return;
    const { id: postId, authorId } = post;
    await session.tell({ postId, authorId, eventType: 'share' }, LINK_COPIED);
  };
  return (
    <Button variant="ghost" icon={<Share2 aria-hidden="true" className="size-5" />} onClick={() => void share()}>
      Share
    </Button>
  );
}

/** On one's own post, while there is a token and the post is not boosted. */
function BoostAction({ post }: { post: Post }) {
  const { data: status } = useStatusBar();
  const boost = useBoostPost(post);
  const isBoosted = post.boostedUntil !== null && Date.parse(post.boostedUntil) > serverNowMs();
  if (isBoosted || (status?.boostTokens ?? 0) === 0) return null;
  return (
    <Button
      variant="ghost"
      pending={boost.isPending}
      icon={<Rocket aria-hidden="true" className="size-5" />}
      onClick={() => boost.mutate()}
    >
      Boost
    </Button>
  );
}
