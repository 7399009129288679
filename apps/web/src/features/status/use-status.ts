import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { chatKeys, refreshAroundChats } from '@/features/chats';
import { api, type PaidPress, useActionKey, type Answer, type Schemas } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import type { Burn } from './burn';

/** Polled every 15 s, stale after 10 s (rule chats-34). */
const INBOUND_POLL_MS = 15_000;
const INBOUND_STALE_MS = 10_000;

/** Requests that wait for the member as host, the highest price first. */
export const useInboundChats = () =>
  useQuery({
    queryKey: chatKeys.inboundPriority,
    queryFn: ({ signal }) => api.get('/api/chats/inbound-priority', { signal }),
    select: ({ chats }) => chats,
    refetchInterval: INBOUND_POLL_MS,
    staleTime: INBOUND_STALE_MS,
  });

/** Chats that the member can return to. */
export const useMyChats = () =>
  useQuery({
    queryKey: chatKeys.mine,
    queryFn: ({ signal }) => api.get('/api/chats/mine', { signal }),
    select: ({ chats }) => chats,
    refetchOnMount: 'always',
  });

export const useDashboard = () =>
  useQuery<Answer<'/api/status/dashboard'>>({ queryKey: chatKeys.dashboard, refetchOnMount: 'always' });

export const usePendingRatings = () =>
  useQuery<Answer<'/api/status/pending-ratings'>>({ queryKey: chatKeys.pendingRatings, refetchOnMount: 'always' });

export const useNovaBreakdown = () =>
  useQuery<Answer<'/api/status/nova-breakdown'>>({ queryKey: chatKeys.novaBreakdown, refetchOnMount: 'always' });

/** A rating from 1 to 10, with or without a comment (rule ratings-3). */
export function useSubmitRating() {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: (rating: Schemas['SubmitRatingDto']) =>
      api.post('/api/status/submit-rating', { body: rating, idempotencyKey: key.keyFor(rating) }),
    onSuccess({ message }) {
      key.done();
      toast({ title: 'Rating submitted', description: message });
    },
    onError: (error) => errorToast('Failed to submit rating', error),
    onSettled: () => refreshAroundChats(client),
  });
}

export function useBurnTokens() {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: ({ burn, press }: { burn: Burn; press: PaidPress }) =>
      api.post('/api/status/burn-tokens', { body: burn, idempotencyKey: key.keyFor(burn), press }),
    onSuccess({ message }) {
      key.done();
      toast({ title: 'Burned for Seyvn', description: message });
    },
    onError: (error) => errorToast('Failed to burn tokens', error),
    onSettled: () => refreshAroundChats(client),
  });
}

export function useCreateTestPerks() {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: () => api.post('/api/status/create-test-perks', { body: {}, idempotencyKey: key.keyFor('perks') }),
    onSuccess({ message }) {
      key.done();
      toast({ title: 'Test perks created', description: message });
    },
    onError: (error) => errorToast('Failed to create test perks', error),
    onSettled: () => refreshAroundChats(client),
  });
}
