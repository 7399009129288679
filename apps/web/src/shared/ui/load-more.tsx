import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from './button';
import { ErrorNote } from './empty-state';

/** The next part is fetched when the end of the list is this far below the screen. */
const FETCH_AHEAD = '400px';

export interface LoadMoreProps {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'fetchNextPage'>;
  /** A sentence, if the last part could not be loaded. */
  failure: string | null;
}

/**
 * The end of a growing list: loads the next part as it comes near, or by its button for members who cannot scroll.
 * While the list is being refetched, it waits: otherwise the new start of the list would not be read.
 */
export function LoadMore({ list, failure }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetching, isFetchingNextPage } = list;
  const isArmed = hasNextPage && !isFetching && failure === null;
  const onLoad = () => void list.fetchNextPage({ cancelRefetch: false });
  const load = useEffectEvent(onLoad);
  useEffect(() => {
    if (!isArmed || end.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) load();
      },
      { rootMargin: FETCH_AHEAD },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isArmed]);

  if (!hasNextPage) return null;
  return (
    <div ref={end} className="p-4">
      {failure === null ? (
        <Button className="w-full" variant="ghost" pending={isFetchingNextPage} onClick={onLoad}>
          Load more
        </Button>
      ) : (
        <ErrorNote onRetry={onLoad} retrying={isFetchingNextPage}>
          {failure}
        </ErrorNote>
      )}
    </div>
  );
}
