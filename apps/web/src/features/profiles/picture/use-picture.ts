import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/shared/api';
import { failureToast, toast } from '@/shared/ui';
import { REGISTRATION } from '@/shared/uploads';
import { refreshProfile } from '../use-profile';

/** Word for word (rule profiles-13). */
const THUMBNAIL_FAILED = 'Failed to update thumbnail. Please try again.';
export const IMAGE_FAILED = 'Failed to update profile image. Please try again.';

export const sayImageFailed = (): void => failureToast('Error', IMAGE_FAILED);

/** Makes an uploaded image the profile picture. */
export function useSetProfileImage() {
  const client = useQueryClient();
  return useMutation({
    ...REGISTRATION,
    mutationFn: (imageUrl: string) => api.post('/api/profile/image', { body: { imageUrl } }),
    onSuccess: () => refreshProfile(client),
    onError() {
      sayImageFailed();
      void refreshProfile(client);
    },
  });
}

/** Sends the cropped image. */
export function useSetThumbnail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn(jpeg: Blob) {
      const form = new FormData();
      form.append('thumbnail', jpeg, 'thumbnail.jpg');
      return api.post('/api/profile/thumbnail', { body: form });
    },
    onSuccess: () => {
      toast({ title: 'Thumbnail Updated', description: 'It is now your profile picture throughout the app.' });
      return refreshProfile(client);
    },
    onError() {
      failureToast('Error', THUMBNAIL_FAILED);
      void refreshProfile(client);
    },
  });
}
