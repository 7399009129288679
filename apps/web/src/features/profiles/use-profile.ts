import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { discoveryKey } from '@/features/discovery/discovery-key';
import { feedKeys } from '@/features/feed/feed-keys';
import { api, queryKeys, type Answer } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import { profileKeys } from './profile-keys';
import type { ChatSettings, Profile, ProfileEdit } from './profile-types';

export const useProfile = () =>
  useQuery<Answer<'/api/profile'>>({ queryKey: profileKeys.profile, refetchOnMount: 'always' });

/** Marks the feed, which is refetched when the member comes back to it. */
export const markFeed = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: feedKeys.feed, refetchType: 'none' });

/**
 * A name or a picture is shown in many places: the top bar, the member's card, their posts. Refetches also after a
 * failure: if an answer is lost, only the server knows what happened.
 */
export function refreshProfile(client: QueryClient): Promise<unknown> {
  return Promise.all([
    markFeed(client),
    client.invalidateQueries({ queryKey: profileKeys.profile }),
    client.invalidateQueries({ queryKey: queryKeys.currentUser }),
    client.invalidateQueries({ queryKey: discoveryKey }),
  ]);
}

export function useSaveProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (edit: ProfileEdit) => api.patch('/api/profile', { body: edit }),
    onSuccess(profile) {
      client.setQueryData<Profile>(profileKeys.profile, profile);
      toast({ title: 'Profile Updated', description: 'Your profile was saved.' });
      return refreshProfile(client);
    },
    onError(error) {
      errorToast('Update Failed', error, 'Failed to update profile');
      void refreshProfile(client);
    },
  });
}

/** Changed chat settings are shown at once, and revert if the server refuses (rule profiles-4). */
export function useChangeSettings() {
  const client = useQueryClient();
  const show = (settings: Partial<ChatSettings>) =>
    client.setQueryData<Profile>(profileKeys.profile, (profile) => profile && { ...profile, ...settings });
  return useMutation({
    mutationFn: (changes: Partial<ChatSettings>) =>
      api.patch('/api/profile/settings', { body: changes, keepalive: true }),
    async onMutate(changes) {
      await client.cancelQueries({ queryKey: profileKeys.profile });
      const before = client.getQueryData<Profile>(profileKeys.profile);
      show(changes);
      return before && pickChanged(before, changes);
    },
    onError(error, _, before) {
      if (before) show(before);
      errorToast('Settings Update Failed', error);
      // If an answer is lost, only the server knows whether the change took effect.
      return client.invalidateQueries({ queryKey: profileKeys.profile });
    },
  });
}

/** The previous values of the changed settings. */
const pickChanged = (before: ChatSettings, changes: Partial<ChatSettings>): Partial<ChatSettings> => ({
  ...(changes.isOnline === undefined ? {} : { isOnline: before.isOnline }),
  ...(changes.allowDirectChats === undefined ? {} : { allowDirectChats: before.allowDirectChats }),
  ...(changes.minimumChatPrice === undefined ? {} : { minimumChatPrice: before.minimumChatPrice }),
});
