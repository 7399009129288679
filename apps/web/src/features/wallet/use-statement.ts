import { useInfiniteQuery } from '@tanstack/react-query';
import { apiFetch, queryKeys, type TransactionPage } from '@/shared/api';

const PAGE_SIZE = 20;
/** No filter; an option of a select must not be empty (S0 §5). */
export const EVERY_TYPE = 'all';

/** The statement, newest first, page by page; `type` keeps one kind of row. */
export const useStatement = (type: string) =>
  useInfiniteQuery({
    queryKey: queryKeys.statementOfType(type),
    queryFn({ pageParam, signal }) {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
      if (pageParam !== null) query.set('cursor', pageParam);
      if (type !== EVERY_TYPE) query.set('type', type);
      return apiFetch<TransactionPage>(`/api/nova/transactions?${query}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
  });
