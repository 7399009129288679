import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';

const PAGE_SIZE = 20;

/** A page of a list; an empty cursor requests the first. */
interface CursorPage {
  query: { limit: number; cursor: string };
  signal: AbortSignal;
}

/**
 * A list that the server returns page by page, each with the cursor of the next. It is fetched again whenever it comes
 * onto the screen.
 */
export const useCursorPages = <T extends { nextCursor: string | null }>(
  queryKey: QueryKey,
  read: (page: CursorPage) => Promise<T>,
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ query: { limit: PAGE_SIZE, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
  });
