import { Link } from 'react-router-dom';
import { NO_BLOCK_HASH } from '@app/domain';
import { formatCount } from '@/shared/api';
import { Amount, Avatar, buttonClasses, Dialog, formatDateTime } from '@/shared/ui';
import { Fact, HashFact } from './fact';
import { ConnectionBadge } from './thread-list';
import { nodeMood } from './thread-moods';
import type { PersonalThread } from './thread-types';

export interface ThreadDialogProps {
  /** Null while no thread is open. */
  thread: PersonalThread | null;
  onClose: () => void;
}

/**
 * One thread: the other member, how the two rated each other, what it earned, and the block that proves it (rule
 * nexus-5).
 */
export function ThreadDialog({ thread, onClose }: ThreadDialogProps) {
  return (
    <Dialog
      open={thread !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Thread"
      description={
        thread === null ? undefined : `Block ${formatCount(thread.blockNumber)} · ${formatDateTime(thread.createdAt)}`
      }
      footer={
        thread !== null && (
          <Link to={`/chat/${thread.chatId}`} className={buttonClasses()}>
            Open the chat
          </Link>
        )
      }
    >
      {thread !== null && <ThreadDetails thread={thread} />}
    </Dialog>
  );
}

function ThreadDetails({ thread }: { thread: PersonalThread }) {
  const { connectedUser, personalNovaReceived, personalNovaOwed } = thread;
  const mood = nodeMood(thread.connectedUserMood);
  return (
    <div className="grid gap-5">
      <div className="flex items-center gap-3">
        <Avatar size="lg" name={connectedUser.displayName} src={connectedUser.profileImageUrl} />
        <div className="min-w-0">
          <p className="text-base font-semibold break-words text-ink">
            <bdi>{connectedUser.displayName}</bdi>
          </p>
          <p className="mt-0.5 flex items-center gap-2 text-xs text-ink-muted">
            <span aria-hidden="true" className={`size-2.5 rounded-full ${mood.dot}`} />
            {mood.meaning}
          </p>
        </div>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Review title="You gave" rating={thread.ownerRating} comment={thread.ownerComment} />
        <Review title="You were given" rating={thread.connectedUserRating} comment={thread.connectedUserComment} />
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4">
        <Fact label="Connection">
          <ConnectionBadge type={thread.connectionType} />
        </Fact>
        <Fact label="Your role">{thread.ownerRole === 'host' ? 'Host' : 'Initiator'}</Fact>
        {personalNovaReceived !== null && (
          <Fact wide label="Nova received from this member’s thread pool">
            <Amount value={personalNovaReceived} className="font-semibold" />
            {personalNovaOwed !== null && personalNovaOwed > 0 && (
              <span className="ml-2 text-xs text-ink-muted">
                and <Amount value={personalNovaOwed} bare /> not yet credited
              </span>
            )}
          </Fact>
        )}
        <HashFact label="Hash" hash={thread.hash} />
        {thread.previousHash === NO_BLOCK_HASH ? (
          <Fact label="Previous hash">None: the first block</Fact>
        ) : (
          <HashFact label="Previous hash" hash={thread.previousHash} />
        )}
      </dl>
    </div>
  );
}

interface ReviewProps {
  title: string;
  rating: number;
  comment: string | null;
}

function Review({ title, rating, comment }: ReviewProps) {
  return (
    <figure className="rounded-md border border-line bg-sky-950/40 p-3">
      <figcaption className="flex items-baseline justify-between gap-2 text-xs font-medium text-ink-muted">
        {title}
        <span className="text-base font-semibold text-ink tabular-nums">
          {rating}
          <span className="text-xs font-normal text-ink-faint"> / 100</span>
        </span>
      </figcaption>
      {comment === null || comment === '' ? (
        <p className="mt-2 text-sm text-ink-faint">No review was written.</p>
      ) : (
        <blockquote dir="auto" className="mt-2 text-sm break-words text-ink">
          {comment}
        </blockquote>
      )}
    </figure>
  );
}
