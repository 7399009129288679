import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { chatKeys, type ChatRequest } from '@/features/chats';
import { apiFetch, errorSentence } from '@/shared/api';
import { toast } from '@/shared/ui';

/** A member's card, in its first shape (S0 §3 User as profile card). */
export interface ProfileCard {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  rating: number;
  ratingCount: number;
  followerCount: number;
  isOnline: boolean;
  mood: string;
  status: string | null;
  occupation: string | null;
  /** US dollars. */
  minimumChatPrice: number;
  allowDirectChats: boolean;
  cooldownUntil: string | null;
}

/** S0 §9. */
const BATCH = 12;
const REQUESTS_POLL_MS = 5_000;

export const discoveryKey = ['/api/discovery/feed'] as const;

/** Members to talk to, 12 at a time: who is online first. */
export const useDiscovery = (search: string) =>
  useInfiniteQuery({
    queryKey: [...discoveryKey, { search }],
    queryFn({ pageParam, signal }) {
      const query = new URLSearchParams({ limit: String(BATCH), offset: String(pageParam) });
      if (search !== '') query.set('search', search);
      return apiFetch<{ profiles: ProfileCard[]; total: number }>(`/api/discovery/feed?${query}`, { signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ profiles, total }, pages) =>
      profiles.length < BATCH || pages.length * BATCH >= total ? null : pages.length * BATCH,
    refetchOnMount: 'always',
  });

/** Requests aimed at me, the oldest first; polled as S0 §9 says. */
export const usePendingRequests = () =>
  useQuery({
    queryKey: chatKeys.pendingRequests,
    queryFn: ({ signal }) => apiFetch<{ requests: ChatRequest[] }>('/api/chats/pending-requests', { signal }),
    select: ({ requests }) => requests,
    refetchInterval: REQUESTS_POLL_MS,
  });

export interface Relation {
  following: boolean;
  followsMe: boolean;
  blocked: boolean;
}

const relationKey = (memberId: string) => ['/api/users', memberId, 'relation'] as const;

/** How I stand to a member; asked for when their menu opens. */
export const useRelation = (memberId: string, enabled: boolean) =>
  useQuery<Relation>({ queryKey: relationKey(memberId), enabled, staleTime: 0 });

export interface RelationChange {
  memberId: string;
  call: 'follow' | 'block';
  method: 'POST' | 'DELETE';
}

export function useChangeRelation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ memberId, call, method }: RelationChange) =>
      apiFetch<{ message: string }>(`/api/users/${memberId}/${call}`, { method }),
    onSuccess({ message }) {
      toast({ title: 'Done', description: message });
    },
    onError: (error) =>
      toast({ title: 'Not done', description: errorSentence(error, 'Please try again.'), variant: 'destructive' }),
    onSettled: (_, __, { memberId }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: relationKey(memberId) }),
        client.invalidateQueries({ queryKey: discoveryKey }),
      ]),
  });
}

export function useReportMember() {
  return useMutation({
    mutationFn: ({ memberId, text }: { memberId: string; text: string }) =>
      apiFetch<{ message: string }>(`/api/users/${memberId}/report`, { method: 'POST', body: { text } }),
    onError: (error) =>
      toast({ title: 'Not reported', description: errorSentence(error, 'Please try again.'), variant: 'destructive' }),
  });
}
