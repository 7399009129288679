import {
  type InfiniteData,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  onlineManager,
  QueryClient,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query';
import { apiFetch } from './api-fetch';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** For a list: whether it stays as it was for members who come back to it. */
      keepsPages?: () => boolean;
    };
  }
}

/** Queries are GET requests; the URL joins the key's text segments with slashes (rule general-15). */
const defaultQueryFn = ({ queryKey, signal }: QueryFunctionContext): Promise<unknown> =>
  apiFetch(queryKey.filter((segment) => typeof segment === 'string').join('/'), { signal });

/**
 * When a query is invalidated, the library restarts a running refetch, but treats the answer of a running *first* fetch
 * as current, although the server may have read it before the change. This client restarts a first fetch too.
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
 * Only the first page of a list that has left the screen is kept. A list is refetched page by page, and a member who
 * comes back to its start must not wait for everything they had scrolled through.
 */
function keepFirstPages(client: QueryClient): void {
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'observerRemoved' || query.queryType !== 'infinite' || query.meta?.keepsPages?.()) return;
    const trim = () => {
      const list = query.state.data as InfiniteData<unknown> | undefined;
      if (list === undefined || query.getObserversCount() > 0) return;
      query.setState({ data: { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) } });
    };
    // The library first cancels a running fetch and restores the list as it was; trim it after that.
    void Promise.allSettled([query.promise]).then(trim);
  });
}

/** Queries never become stale by themselves, refetch on focus, poll or retry (rule general-15). */
export function createQueryClient(): QueryClient {
  // The library hears of changes alone, and takes the network for granted until then.
  onlineManager.setOnline(typeof navigator === 'undefined' || navigator.onLine);
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
      // Never delayed until the network is back, because by then nobody may want the change. Without a network, a
      // mutation fails and says so.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  keepFirstPages(client);
  return client;
}

export const queryClient = createQueryClient();
