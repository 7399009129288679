import { QueryClient, type QueryFunctionContext } from '@tanstack/react-query';
import { apiFetch } from './api-fetch';

/** Queries are GET requests whose URL is the key's text segments joined by slashes (S0 §1). */
const defaultQueryFn = ({ queryKey, signal }: QueryFunctionContext): Promise<unknown> =>
  apiFetch(queryKey.filter((segment) => typeof segment === 'string').join('/'), { signal });

/** S0 §1 Data defaults: never stale by itself, no refetch on focus, no polling, no retries. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: defaultQueryFn,
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchInterval: false,
        retry: false,
      },
      mutations: { retry: false },
    },
  });

export const queryClient = createQueryClient();
