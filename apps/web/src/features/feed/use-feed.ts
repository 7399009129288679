import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { addressOf, api, firstPage, hasStatus, type Answer } from '@/shared/api';
import { feedKeys } from './feed-keys';
import type { Post } from './feed-types';
import { postInFeed, type FeedData } from './post-cache';
import { useFeedSession } from './use-feed-session';

/** Rules feed-1 and feed-12. */
const FEED_PAGE = 10;
const STATUS_BAR_POLL_MS = 30_000;

/** Posts, ten at a time; there is a next page only if a full ten came back (rule feed-1). */
export function useFeed({ keepsPlace }: { keepsPlace: boolean }) {
  const session = useFeedSession();
  return useInfiniteQuery({
    queryKey: feedKeys.feed,
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/content/feed', { query: { limit: FEED_PAGE, offset: pageParam }, signal }),
    initialPageParam: 0,
    initialData: () =>
      firstPage<Answer<'/api/content/feed'>, number>(
        addressOf('/api/content/feed', { query: { limit: FEED_PAGE, offset: 0 } }),
        0,
      ),
    getNextPageParam: ({ posts }, pages) => (posts.length === FEED_PAGE ? pages.length * FEED_PAGE : null),
    // A member who comes back finds the list as it was, unless it is known to have changed.
    refetchOnMount: keepsPlace ? true : 'always',
    meta: { keepsPages: () => session.placePx > 0 },
  });
}

/** One post by its link; `data` is null if there is none. Until it arrives, the feed's copy is shown. */
export function usePost(postId: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: feedKeys.post(postId),
    async queryFn({ signal }): Promise<Post | null> {
      try {
        return await api.get('/api/content/posts/{id}', { path: { id: postId }, signal });
      } catch (error) {
        if (hasStatus(error, 404)) return null;
        throw error;
      }
    },
    placeholderData: () => postInFeed(client.getQueryData<FeedData>(feedKeys.feed), postId),
    refetchOnMount: 'always',
  });
}

/** The day's points, level, streak and perks; polled every 30 s (rule feed-12). */
export const useStatusBar = () =>
  useQuery<Answer<'/api/status-bar'>>({
    queryKey: feedKeys.statusBar,
    refetchInterval: STATUS_BAR_POLL_MS,
    refetchOnMount: 'always',
  });
