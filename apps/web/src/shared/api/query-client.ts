import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query';
import { apiFetch } from './api-fetch';

/** Queries are GET requests whose URL is the key's text segments joined by slashes (S0 §1). */
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

/** S0 §1 Data defaults: never stale by itself, no refetch on focus, no polling, no retries. */
export const createQueryClient = (): QueryClient =>
  new FreshQueryClient({
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

export const queryClient = createQueryClient();
