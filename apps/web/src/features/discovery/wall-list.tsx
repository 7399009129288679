import { MessageSquareText } from 'lucide-react';
import { errorSentence, formatCount } from '@/shared/api';
import { Amount, Avatar, ErrorNote, LoadMore, RelativeTime, Skeleton } from '@/shared/ui';
import type { ProfileCard, WallComment } from './card-types';
import { FaceBody } from './face-frame';
import { useWall } from './use-wall';

/** The second face shows this many comments; the third shows all. */
const GLIMPSE = 5;

export interface WallListProps {
  profile: ProfileCard;
  /** Shows the wall as its owner sees it: every comment, with its amount and time. */
  isWhole: boolean;
}

/** The comments on a member's wall, newest first. Anyone can write them, so they are always shown as plain text. */
export function WallList({ profile, isWhole }: WallListProps) {
  const wall = useWall(profile.id);
  const all = wall.data?.pages.flatMap(({ comments }) => comments);
  const comments = isWhole ? all : all?.slice(0, GLIMPSE);
  const hidden = (wall.data?.pages[0]?.total ?? 0) - GLIMPSE;
  return (
    <FaceBody label={`Wall of ${profile.displayName}`} isBusy={wall.isPending}>
      {wall.isPending && <LoadingComments />}
      {wall.isError && all === undefined && (
        <ErrorNote onRetry={() => void wall.refetch()} retrying={wall.isFetching}>
          {errorSentence(wall.error, 'The wall could not be loaded.')}
        </ErrorNote>
      )}
      {comments?.length === 0 && <EmptyWall isOwn={profile.isOwn} />}
      {comments !== undefined && comments.length > 0 && (
        <ul className="grid grid-cols-1 gap-2.5">
          {comments.map((comment) => (
            <Comment key={comment.id} comment={comment} isWhole={isWhole} />
          ))}
        </ul>
      )}
      {!isWhole && hidden > 0 && (
        <p className="mt-2.5 text-xs text-ink-faint">{formatCount(hidden)} more on the next face.</p>
      )}
      {isWhole && (
        <LoadMore list={wall} failure={wall.isFetchNextPageError ? 'More comments could not be loaded.' : null} />
      )}
    </FaceBody>
  );
}

function Comment({ comment: item, isWhole }: { comment: WallComment; isWhole: boolean }) {
  const { comment, commenterName, commenter, novaPaid, createdAt } = item;
  return (
    <li className="flex gap-2">
      <Avatar name={commenterName} src={commenter.profileImageUrl} size="sm" />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2 text-xs text-ink-faint">
          <bdi className="min-w-0 truncate font-medium text-ink-muted">{commenterName}</bdi>
          {isWhole && <RelativeTime iso={createdAt} className="ml-auto shrink-0" />}
        </p>
        <p dir="auto" className="text-sm wrap-anywhere text-ink">
          {comment}
        </p>
        {isWhole && <Amount value={novaPaid} className="text-xs text-ink-faint" />}
      </div>
    </li>
  );
}

function EmptyWall({ isOwn }: { isOwn: boolean }) {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-1 text-center">
      <MessageSquareText aria-hidden="true" className="size-6 text-ink-faint" />
      <p className="text-sm font-medium text-ink">No comments yet</p>
      <p className="text-xs text-ink-muted">
        {isOwn ? 'Comments by others appear here.' : 'Be the first to write something.'}
      </p>
    </div>
  );
}

function LoadingComments() {
  return (
    <div className="grid gap-2.5">
      {[1, 2, 3].map((comment) => (
        <div key={comment} className="flex gap-2">
          <Skeleton className="size-8 shrink-0 rounded-full" />
          <div className="grid flex-1 gap-1.5">
            <Skeleton className="h-3 w-20" />
            <Skeleton className="h-4" />
          </div>
        </div>
      ))}
    </div>
  );
}
