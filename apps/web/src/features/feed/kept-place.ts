import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import { feedKeys } from './feed-keys';
import { useFeedSession } from './use-feed-session';

/**
 * Keeps the scrolling position of the feed for who comes back to it.
 *
 * @returns whether there is one to come back to: then the list stays as it was
 */
export function useKeptPlace(): boolean {
  const client = useQueryClient();
  const session = useFeedSession();
  const [cameBackTo] = useState(() => (client.getQueryData(feedKeys.feed) === undefined ? 0 : session.placePx));
  useLayoutEffect(() => {
    const keep = (): void => {
      session.placePx = window.scrollY;
    };
    window.addEventListener('scroll', keep, { passive: true });
    // In time: the page that follows is shorter, and moves the position itself.
    return () => window.removeEventListener('scroll', keep);
  }, [session]);
  useEffect(() => {
    if (cameBackTo === 0) return undefined;
    // After the shell, which puts every new page at its top.
    const frame = requestAnimationFrame(() => window.scrollTo(0, cameBackTo));
    return () => cancelAnimationFrame(frame);
  }, [cameBackTo]);
  return cameBackTo > 0;
}
