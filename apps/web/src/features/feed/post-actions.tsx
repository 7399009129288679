import { POST_RATING_MAX, POST_RATING_MIN } from '@app/domain';
import { clsx } from 'clsx';
import { Eye, Heart, MessageCircle, Rocket, Share2, Star } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { serverNowMs } from '@/shared/api';
import { madeOnce } from '@/shared/made-once';
import { Button, Dialog, failureToast, Field, Slider, StayOpen, toast } from '@/shared/ui';
import type { Post } from './feed-types';
import { useStatusBar } from './use-feed';
import { useFeedSession } from './use-feed-session';
import { useBoostPost, useRatePost, useToggleLike } from './use-post-actions';

const compact = madeOnce(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }));

/** A post's counts, and the actions on it. */
export function PostActions({ post }: { post: Post }) {
  const { isOwn, likeCount, viewCount, commentCount, avgRating, ratingCount } = post;
  return (
    <div className="grid gap-2">
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
        <Figure icon={<Eye aria-hidden="true" className="size-4" />} name="Views" value={compact().format(viewCount)} />
        <Figure
          icon={<Heart aria-hidden="true" className="size-4" />}
          name="Likes"
          value={compact().format(likeCount)}
        />
        <Figure
          icon={<MessageCircle aria-hidden="true" className="size-4" />}
          name="Comments"
          value={compact().format(commentCount)}
        />
        <Figure
          icon={<Star aria-hidden="true" className="size-4" />}
          name="Average rating"
          value={avgRating === null ? 'Not rated' : `${avgRating} (${compact().format(ratingCount)})`}
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
        // One press at a time, because the second of a double press would undo the first.
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
    <Button
      variant="ghost"
      data-reads-nothing
      icon={<Share2 aria-hidden="true" className="size-5" />}
      onClick={() => void share()}
    >
      Share
    </Button>
  );
}

/** Shown on the member's own post while they have a token and the post is not boosted. */
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

const LINK_COPIED = 'Link copied';

/** The link of a post (rule feed-3). */
const postLink = (postId: string): string => `${window.location.origin}/post/${postId}`;

/** Copies the link of a post and says so; false if the browser refused. */
async function sharePost({ id }: Pick<Post, 'id'>): Promise<boolean> {
  const url = postLink(id);
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    failureToast('The link was not copied', `The browser refused. It is ${url}`);
    return false;
  }
  toast({ title: LINK_COPIED, description: 'Anyone with an account can open this post with the link.' });
  return true;
}

const RATING_FIRST = 50;

/** Asks how good a post is, from 1 to 100. */
function RatePostDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const [rating, setRating] = useState(post.myRating ?? RATING_FIRST);
  const rate = useRatePost(post);
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={onClose}
      title="Rate this post"
      description={
        <>
          By <bdi>{post.author.displayName}</bdi>
        </>
      }
      footer={
        <>
          <StayOpen while={rate.isPending} />
          <Button disabled={rate.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            pending={rate.isPending}
            onClick={() => rate.mutate(rating, { onSuccess: onClose })}
          >{`Rate ${rating} of ${POST_RATING_MAX}`}</Button>
        </>
      }
    >
      <Field
        label="Rating"
        hint={post.myRating === null ? undefined : `You rated it ${post.myRating}. A new rating replaces it.`}
        aside={<output className="text-lg font-semibold text-ink tabular-nums">{rating}</output>}
      >
        <Slider
          label="Rating"
          min={POST_RATING_MIN}
          max={POST_RATING_MAX}
          value={rating}
          onValueChange={setRating}
          valueText={`${rating} of ${POST_RATING_MAX}`}
        />
      </Field>
    </Dialog>
  );
}
