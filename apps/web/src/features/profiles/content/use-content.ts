import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, ensureGone, type Answer } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import { REGISTRATION } from '@/shared/uploads';
import { profileKeys } from '../profile-keys';
import { markFeed, refreshProfile } from '../use-profile';
import { isHevc, type NewContent, type Surface } from './content-types';

const KEYS = { 'scroll-feed': profileKeys.scrollFeed, discovery: profileKeys.discovery } as const;

export const useMyContent = (surface: Surface) =>
  useQuery<Answer<`/api/content/my-${Surface}`>>({ queryKey: KEYS[surface], refetchOnMount: 'always' });

/**
 * Other members' feeds and grids show the same content. Refetches also after a failure: if an answer is lost, only the
 * server knows what happened.
 */
const refreshContent = (client: QueryClient, surface: Surface) =>
  Promise.all([
    client.invalidateQueries({ queryKey: KEYS[surface] }),
    surface === 'discovery' ? refreshProfile(client) : markFeed(client),
  ]);

/** For both the upload and what follows it (rule profiles-13). */
export const sayNotUploaded = (error?: unknown): void => errorToast('Upload Failed', error, 'Failed to upload content');

export function usePublish(surface: Surface) {
  const client = useQueryClient();
  return useMutation({
    ...REGISTRATION,
    mutationFn: (content: NewContent) => api.post(`/api/content/${surface}`, { body: content }),
    onSuccess: async (item) => {
      const hint = isHevc(item) ? ' It is HEVC, which few browsers play. All browsers play H.264.' : '';
      toast({ title: 'Content Uploaded', description: `It is now part of your content.${hint}` });
      await refreshContent(client, surface);
    },
    onError(error) {
      sayNotUploaded(error);
      void refreshContent(client, surface);
    },
  });
}

export function useDeleteContent(surface: Surface) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => ensureGone(api.delete('/api/content/{id}', { path: { id } })),
    onSuccess: async () => {
      toast({ title: 'Content Deleted' });
      await refreshContent(client, surface);
    },
    onError(error) {
      errorToast('Delete Failed', error);
      void refreshContent(client, surface);
    },
  });
}

/** A discovery item either is the active profile card or is not (rule profiles-10); null removes the active one. */
export function useChooseCard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (contentId: string | null) =>
      contentId === null
        ? api.delete('/api/profile/card-content')
        : api.put('/api/profile/card-content', { body: { contentId } }),
    onSuccess: async ({ message }) => {
      toast({ title: 'Profile Card Updated', description: message });
      await refreshContent(client, 'discovery');
    },
    onError(error) {
      errorToast('Update Failed', error, 'Failed to update profile card');
      void refreshContent(client, 'discovery');
    },
  });
}
