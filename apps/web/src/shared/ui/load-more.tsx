import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from './button';
import { ErrorNote } from './empty-state';

/** How far below the screen the end of a list may be when the next part is fetched. */
const FETCH_AHEAD = '400px';

export interface LoadMoreProps {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'fetchNextPage'>;
  /** A sentence, when the last part could not be loaded. */
  failure: string | null;
}

/**
 * The end of a list that grows: loads the next part as it comes near, and by its button for who cannot scroll. A list that is
 * being read anew is waited for: what it then begins with would otherwise not be read.
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
