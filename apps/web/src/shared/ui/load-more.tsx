import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from './button';
import { ErrorNote } from './empty-state';

/** How far below the screen the end of a list may be when the next part is fetched. */
const FETCH_AHEAD = '400px';

export interface LoadMoreProps {
  hasMore: boolean;
  isLoading: boolean;
  /** A sentence, when the last part could not be loaded. */
  failure: string | null;
  onLoad: () => void;
}

/** The end of a list that grows: loads the next part as it comes near, and by its button for who cannot scroll. */
export function LoadMore({ hasMore, isLoading, failure, onLoad }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const isArmed = hasMore && !isLoading && failure === null;
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

  if (!hasMore) return null;
  return (
    <div ref={end} className="p-4">
      {failure === null ? (
        <Button className="w-full" variant="ghost" pending={isLoading} onClick={onLoad}>
          Load more
        </Button>
      ) : (
        <ErrorNote onRetry={onLoad} retrying={isLoading}>
          {failure}
        </ErrorNote>
      )}
    </div>
  );
}
