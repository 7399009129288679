import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { firstPage } from './first-answers';

const PAGE_SIZE = 20;

/** A page of a list; an empty cursor requests the first. */
interface CursorPage {
  query: { limit: number; cursor: string };
  signal: AbortSignal;
}

/**
 * A list that the server returns page by page, each with the cursor of the next. It is fetched again whenever it comes
 * onto the screen.
 *
 * @param addressOfFirst of its first page, if the page may have brought that along
 */
export const useCursorPages = <T extends { nextCursor: string | null }>(
  queryKey: QueryKey,
  read: (page: CursorPage) => Promise<T>,
  addressOfFirst?: (query: CursorPage['query']) => string,
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ query: { limit: PAGE_SIZE, cursor: pageParam }, signal }),
    initialPageParam: '',
    initialData: () => addressOfFirst && firstPage<T, string>(addressOfFirst({ limit: PAGE_SIZE, cursor: '' }), ''),
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
  });
