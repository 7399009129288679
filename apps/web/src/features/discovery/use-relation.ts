import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { feedKeys } from '@/features/feed/feed-keys';
import { apiFetch, queryKeys, useCursorPages } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import { discoveryKey } from './discovery-key';

export interface Relation {
  following: boolean;
  followsMe: boolean;
  blocked: boolean;
}

const relationKey = (memberId: string) => ['/api/users', memberId, 'relation'] as const;
const blockedKey = ['/api/users/blocked'] as const;

/** How I stand to a member; asked for when their menu opens. */
export const useRelation = (memberId: string, enabled: boolean) =>
  useQuery<Relation>({ queryKey: relationKey(memberId), enabled, staleTime: 0 });

export interface BlockedMember {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  blockedAt: string;
}

interface BlockedPage {
  members: BlockedMember[];
  nextCursor: string | null;
}

/** Whom I have blocked, the last blocked first. */
export const useBlockedMembers = () =>
  useCursorPages<BlockedPage>({ queryKey: blockedKey, path: '/api/users/blocked' });

export interface RelationChange {
  memberId: string;
  call: 'follow' | 'block';
  method: 'POST' | 'DELETE';
}

export function useChangeRelation() {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ memberId, call, method }: RelationChange) =>
      apiFetch<{ message: string }>(`/api/users/${memberId}/${call}`, { method }),
    onSuccess({ message }, asked) {
      // With the card goes the menu in which it could be taken back.
      const isBlock = asked.call === 'block' && asked.method === 'POST';
      const undo = { label: 'Undo', onClick: () => change.mutate({ ...asked, method: 'DELETE' }) };
      toast({ title: 'Done', description: message, ...(isBlock && { action: undo }) });
    },
    onError: (error) => errorToast('Not done', error),
    onSettled: (_, __, { memberId }) => {
      const keys = [relationKey(memberId), blockedKey, discoveryKey, feedKeys.feed, queryKeys.currentUser];
      return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
  return change;
}
