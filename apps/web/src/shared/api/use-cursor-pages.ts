import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { apiFetch } from './api-fetch';

const PAGE_SIZE = 20;

interface CursorPages {
  queryKey: QueryKey;
  path: string;
  /** What the list is narrowed to; what is empty is left out. */
  parameters?: Readonly<Record<string, string>>;
}

/** A list that the server gives page by page, each with the cursor of the next; read anew whenever it comes on the screen. */
export const useCursorPages = <T extends { nextCursor: string | null }>({ queryKey, path, parameters }: CursorPages) =>
  useInfiniteQuery({
    queryKey,
    queryFn({ pageParam, signal }) {
      const asked = Object.entries({ limit: String(PAGE_SIZE), ...parameters, cursor: pageParam });
      return apiFetch<T>(`${path}?${new URLSearchParams(asked.filter(([, value]) => value !== ''))}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
  });
