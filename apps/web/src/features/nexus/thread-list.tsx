import type { ReactNode } from 'react';
import { formatCount } from '@/shared/api';
import { Avatar, Badge, ErrorNote, LoadMore, RelativeTime, Skeleton } from '@/shared/ui';
import { nodeMood } from './thread-moods';
import type { PersonalThread } from './thread-types';
import { THREADS_FAILURE, type useThreads } from './use-threads';

export interface ThreadListProps {
  query: ReturnType<typeof useThreads>;
  onThread: (thread: PersonalThread) => void;
  /** Shown when there is no thread yet. */
  empty: ReactNode;
}

/** The threads of the canvas, one per row, each opening the same dialog. */
export function ThreadList({ query, onThread, empty }: ThreadListProps) {
  const threads = query.data?.pages.flatMap((page) => page.threads);
  if (threads === undefined) {
    if (!query.isError) return <Loading />;
    return (
      <div className="p-4 pt-0">
        <ErrorNote onRetry={() => void query.refetch()} retrying={query.isFetching}>
          {THREADS_FAILURE}
        </ErrorNote>
      </div>
    );
  }
  if (threads.length === 0) return empty;
  return (
    <>
      <ul aria-label="Threads, newest first" className="divide-y divide-line border-t border-line">
        {threads.map((thread) => (
          <ThreadRow key={thread.id} thread={thread} onOpen={() => onThread(thread)} />
        ))}
      </ul>
      <LoadMore list={query} failure={query.isFetchNextPageError ? THREADS_FAILURE : null} />
    </>
  );
}

function ThreadRow({ thread, onOpen }: { thread: PersonalThread; onOpen: () => void }) {
  const { connectedUser, connectedUserMood, blockNumber } = thread;
  const mood = nodeMood(connectedUserMood);
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex min-h-16 w-full items-center gap-3 px-4 py-3 text-left cramped:flex-wrap hover:bg-sky-700/50 focus-visible:-outline-offset-2"
      >
        <span className="relative shrink-0">
          <Avatar name={connectedUser.displayName} src={connectedUser.profileImageUrl} />
          <span
            title={mood.meaning}
            className={`absolute -right-0.5 -bottom-0.5 size-3.5 rounded-full border-2 border-sky-800 forced-color-adjust-none ${mood.dot}`}
          />
        </span>
        <span className="min-w-0 flex-1 cramped:basis-full">
          <bdi className="block truncate text-sm font-semibold text-ink">{connectedUser.displayName}</bdi>
          <span className="mt-0.5 block text-xs text-ink-faint tabular-nums">
            Block {formatCount(blockNumber)} · <RelativeTime iso={thread.createdAt} />
          </span>
        </span>
        <span className="grid shrink-0 justify-items-end gap-1 cramped:justify-items-start">
          <ConnectionBadge type={thread.connectionType} />
          <span className="text-xs text-ink-muted tabular-nums">
            gave {thread.ownerRating} · got {thread.connectedUserRating}
          </span>
        </span>
      </button>
    </li>
  );
}

const CONNECTIONS = {
  karma: { name: 'Karma', dot: 'bg-karma' },
  influence: { name: 'Influence', dot: 'bg-influence' },
};

/** Which side of the chat made the thread: Karma for the host, Influence for the initiator. */
export function ConnectionBadge({ type }: { type: PersonalThread['connectionType'] }) {
  const { name, dot } = CONNECTIONS[type];
  return (
    <Badge>
      <span aria-hidden="true" className={`size-1.5 rounded-full ${dot}`} />
      {name}
    </Badge>
  );
}

function Loading() {
  return (
    <div aria-busy="true" className="grid gap-3 p-4 pt-0">
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </div>
  );
}
