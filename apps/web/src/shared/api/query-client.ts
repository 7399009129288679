import {
  type InfiniteData,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query';
import { apiFetch } from './api-fetch';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Of a list: whether it stays as it was for who comes back to it. */
      keepsPages?: () => boolean;
    };
  }
}

/** Queries are GET requests whose URL is the key's text segments joined by slashes (rule general-15). */
const defaultQueryFn = ({ queryKey, signal }: QueryFunctionContext): Promise<unknown> =>
  apiFetch(queryKey.filter((segment) => typeof segment === 'string').join('/'), { signal });

/**
 * The library starts a running refetch anew when it is invalidated, but takes the answer of a running *first* fetch for current,
 * although the server may have read it before the change. Here a first fetch is started anew too.
 */
class FreshQueryClient extends QueryClient {
  override async invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const isFirst: typeof filters = {
      ...filters,
      type: 'active',
      predicate: (query) => query.state.data === undefined && filters?.predicate?.(query) !== false,
    };
    if (filters?.refetchType !== 'none') await this.cancelQueries(isFirst);
    await super.invalidateQueries(filters, options);
  }
}

/**
 * Of a list that is no longer on the screen the first page stays: a list is read anew page by page, and who comes back to its
 * beginning is not to wait for all that was scrolled through.
 */
function keepFirstPages(client: QueryClient): void {
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'observerRemoved' || query.queryType !== 'infinite' || query.meta?.keepsPages?.()) return;
    const trim = () => {
      const list = query.state.data as InfiniteData<unknown> | undefined;
      if (list === undefined || query.getObserversCount() > 0) return;
      query.setState({ data: { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) } });
    };
    // What was still being read is given up first, and the list then as it was before.
    void Promise.allSettled([query.promise]).then(trim);
  });
}

/** Never stale by itself, no refetch on focus, no polling, no retries (rule general-15). */
export function createQueryClient(): QueryClient {
  const client = new FreshQueryClient({
    defaultOptions: {
      queries: {
        queryFn: defaultQueryFn,
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchInterval: false,
        retry: false,
      },
      // Never later, when the network is back: by then nobody may want it any more. Without a network it fails, and says so.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  keepFirstPages(client);
  return client;
}

export const queryClient = createQueryClient();
