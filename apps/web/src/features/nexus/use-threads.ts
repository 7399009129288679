import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf, api, ApiError, apiResponse } from '@/shared/api';
import { failureToast } from '@/shared/ui';
import type { PersonalThread } from './thread-types';

/** The most that one answer holds (rule general-12). */
const PAGE_SIZE = 100;
/** Rule nexus-7. */
export const THREADS_FAILURE = 'Failed to fetch personal threads';

const threadKeys = {
  list: (ownerId: string) => ['/api/personal-threads', { ownerId }],
  stats: (ownerId: string) => ['/api/personal-threads', 'stats', { ownerId }],
};

export interface ThreadPage {
  threads: PersonalThread[];
  nextCursor: string | null;
}

export interface ThreadPageRequest {
  ownerId: string;
  cursor: string | null;
  signal?: AbortSignal;
}

/** A page of a member's chain, newest block first. The answer is a plain list; its header leads to the next page. */
export async function fetchThreads({ ownerId, cursor, signal }: ThreadPageRequest): Promise<ThreadPage> {
  const query = { ownerId, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) };
  const response = await apiResponse(addressOf('/api/personal-threads', { query }), { signal });
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, text, response.statusText);
  return { threads: JSON.parse(text) as PersonalThread[], nextCursor: response.headers.get('x-next-cursor') };
}

/** A member's threads, page by page. A failure is reported by a toast (rule nexus-7) and in `error`. */
export function useThreads(ownerId: string) {
  const query = useInfiniteQuery({
    queryKey: threadKeys.list(ownerId),
    queryFn: ({ pageParam, signal }) => fetchThreads({ ownerId, cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
  });
  const { error } = query;
  useEffect(() => {
    if (error !== null) failureToast(THREADS_FAILURE);
  }, [error]);
  return query;
}

/** The whole chain in figures. */
export const useThreadStats = (ownerId: string) =>
  useQuery({
    queryKey: threadKeys.stats(ownerId),
    queryFn: ({ signal }) => api.get('/api/personal-threads/stats', { query: { ownerId }, signal }),
    refetchOnMount: 'always',
  });
