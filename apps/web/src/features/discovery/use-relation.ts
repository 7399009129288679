import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { feedKeys } from '@/features/feed/feed-keys';
import { api, queryKeys, useCursorPages, type Answer } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import { discoveryKey } from './discovery-key';

const relationKey = (memberId: string) => ['/api/users', memberId, 'relation'] as const;
const blockedKey = ['/api/users/blocked'] as const;

/** The viewer's relation to a member; fetched when that member's menu opens. */
export const useRelation = (memberId: string, enabled: boolean) =>
  useQuery<Answer<'/api/users/{id}/relation'>>({ queryKey: relationKey(memberId), enabled, staleTime: 0 });

export type BlockedMember = Answer<'/api/users/blocked'>['members'][number];

/** Members whom the viewer has blocked, the last blocked first. */
export const useBlockedMembers = () => useCursorPages(blockedKey, (page) => api.get('/api/users/blocked', page));

export interface RelationChange {
  memberId: string;
  call: 'follow' | 'block';
  method: 'POST' | 'DELETE';
}

export function useChangeRelation() {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn({ memberId, call, method }: RelationChange) {
      const path = { id: memberId };
      return method === 'POST'
        ? api.post(`/api/users/{id}/${call}`, { path })
        : api.delete(`/api/users/{id}/${call}`, { path });
    },
    onSuccess({ message }, asked) {
      // The card disappears, and with it the menu in which the block could be undone.
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
