import { smallerPicture } from '@app/domain';
import { clsx } from 'clsx';
import { ArrowUpToLine, Rocket, TrendingUp } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatCount, serverNowMs } from '@/shared/api';
import { Avatar, Badge, formatDateTime, RelativeTime } from '@/shared/ui';
import type { Post } from './feed-types';
import { PostActions } from './post-actions';
import { MediaUnavailable, PostMediaFrame } from './post-media-frame';
import { PostVideo } from './post-video';
import { useFeedSession } from './use-feed-session';
import { observeViews } from './view-tracking';

export interface PostCardProps {
  post: Post;
  /** In sight when the page opens: its media is fetched at once. */
  isFirst?: boolean;
}

/** One post of possibly hundreds. Its views are tracked while it is on the screen. */
export const PostCard = memo(function PostCard({ post, isFirst = false }: PostCardProps) {
  const card = useRef<HTMLElement>(null);
  const watched = useRef<number>(undefined);
  useTrackedViews(card, post, watched);
  const { author, contentType } = post;
  return (
    <article
      ref={card}
      aria-label={`Post by ${author.displayName}`}
      className="overflow-hidden border-y border-line bg-sky-800 max-sm:-mx-4 sm:rounded-lg sm:border-x"
    >
      <PostHeader post={post} />
      {contentType === 'video' ? (
        <PostVideo
          post={post}
          isFirst={isFirst}
          onWatched={(percent) => {
            watched.current = Math.max(watched.current ?? 0, percent);
          }}
        />
      ) : (
        <PostImage post={post} isFirst={isFirst} />
      )}
      <div className="grid gap-3 p-4">
        <PostCaption post={post} />
        <PostActions post={post} />
      </div>
    </article>
  );
});

/** A member's own posts earn and cost nothing, so their views are not counted. */
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
      // Read when the impression fires, because paying must not start the visit again.
      get isPaid() {
        return paid.current;
      },
      watchPercent: () => watched.current,
    };
    return observeViews(card.current, post, views);
  }, [card, id, authorId, isOwn, views, watched]);
}

/** A post's picture, uncropped. */
function PostImage({ post: { mediaUrl, thumbnailUrl, author }, isFirst }: Required<PostCardProps>) {
  const [source, setSource] = useState<string | null>(smallerPicture(mediaUrl, 'large'));
  return (
    <PostMediaFrame thumbnailUrl={thumbnailUrl} isFirst={isFirst}>
      {(isNear) =>
        source === null ? (
          <MediaUnavailable kind="image" />
        ) : (
          <img
            src={isNear ? source : undefined}
            alt={`Posted by ${author.displayName}`}
            decoding="async"
            className="absolute inset-0 size-full object-contain"
            onError={() => setSource(source === mediaUrl ? null : mediaUrl)}
          />
        )
      }
    </PostMediaFrame>
  );
}

/** Longer captions are folded, so that a post stays smaller than the screen. */
const FOLDED_FROM_CHARACTERS = 180;
const FOLDED_FROM_LINES = 4;

const isLong = (caption: string): boolean =>
  caption.length > FOLDED_FROM_CHARACTERS || caption.split('\n').length > FOLDED_FROM_LINES;

/** The author's caption and its tags. */
function PostCaption({ post: { caption, hashtags } }: { post: Post }) {
  const [isOpen, setOpen] = useState(false);
  if (caption === null && hashtags.length === 0) return null;
  const isFolded = caption !== null && isLong(caption) && !isOpen;
  return (
    <div className="grid gap-1.5 text-sm">
      {caption !== null && (
        <p dir="auto" className={clsx('whitespace-pre-line text-ink', isFolded && 'line-clamp-3')}>
          {caption}
        </p>
      )}
      {isFolded && (
        <button
          type="button"
          className="min-h-11 justify-self-start font-medium text-ink-muted hover:text-ink sm:min-h-6"
          onClick={() => setOpen(true)}
        >
          Show more
        </button>
      )}
      {hashtags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-x-2 gap-y-0.5 text-ink-muted">
          {hashtags.map((tag) => (
            <li key={tag} dir="auto">
              #{tag}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The author, who leads to their card (rule feed-16), and the time, which is the post's link. */
function PostHeader({ post }: { post: Post }) {
  const { id, authorId, author, createdAt, isOwn } = post;
  const card = `/discovery?member=${authorId}`;
  return (
    <header className="flex items-center gap-3 p-4 cramped:flex-wrap">
      <Link to={card} tabIndex={-1} aria-hidden="true" className="relative shrink-0">
        <Avatar name={author.displayName} src={author.profileImageUrl} />
        {author.isOnline && (
          <span
            title="Online"
            className="absolute right-0 bottom-0 size-3 rounded-full border-2 border-sky-800 bg-gain"
          />
        )}
      </Link>
      <div className="min-w-0 flex-1 cramped:basis-full">
        <p className="flex items-baseline gap-1.5 text-sm">
          <Link
            to={card}
            title={author.displayName}
            className="-my-2 truncate py-2 font-semibold text-ink underline-offset-2 hover:underline"
          >
            <bdi>{author.displayName}</bdi>
          </Link>
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

const STAGES: Record<Post['promotionStage'], { tone: string; words: string }> = {
  stage_a: { tone: 'text-ink-faint', words: 'Stage A' },
  stage_b: { tone: 'text-hold', words: 'Stage B' },
  stage_c: { tone: 'text-nova', words: 'Stage C' },
};

/** Every promotion stage is shown as Trending (rule feed-8). */
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
        <span className={clsx('flex items-center gap-1 text-xs', tone)}>
          <TrendingUp aria-hidden="true" className="size-3" />
          Trending
        </span>
      </li>
    </ul>
  );
}
