import { isolated } from '@app/domain';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, errorSentence, hasStatus, queryKeys, type Query, type Schemas } from '@/shared/api';
import { errorToast, failureToast, toast } from '@/shared/ui';
import { REGISTRATION } from '@/shared/uploads';
import { toQuery, type AddressFilters } from '../use-address-filters';

/** Rule admin-3. */
export const GALLERY_PAGE_SIZE = 20;

/** A content item as admins see it. */
export type GalleryItem = Schemas['AdminContentItemDto'];

/** Where a content item is shown. */
export type Surface = GalleryItem['surface'];
export const SURFACE_LABELS: Record<Surface, string> = { feed: 'Scroll feed', discovery: 'Discovery' };

/** The filters' names in the address bar, and in the API. */
export const GALLERY_FILTERS = ['search', 'contentType'] as const;
export type GalleryFilterState = AddressFilters<(typeof GALLERY_FILTERS)[number]>;

export const useGallery = ({ filters, page }: GalleryFilterState) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'content', { filters, page }],
    queryFn({ signal }) {
      const asked = toQuery<Query<'/api/admin/content'>>(filters);
      return api.get('/api/admin/content', { query: { ...asked, page, limit: GALLERY_PAGE_SIZE }, signal });
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export type Assignment = Schemas['AssignContentDto'];

/** For both the upload and the assignment (rule admin-13). */
export const sayNotUploaded = (error?: unknown): void => errorToast('Error', error, 'Failed to upload content');

export function useAssignContent() {
  const client = useQueryClient();
  return useMutation({
    ...REGISTRATION,
    mutationFn: (assignment: Assignment) => api.post('/api/admin/content/assign', { body: assignment }),
    onSuccess: ({ authorName }) =>
      toast({ title: 'Content Assigned', description: `It now belongs to the content of ${isolated(authorName)}.` }),
    onError: (error) => sayNotUploaded(error),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}

export function useDeleteContent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.delete('/api/admin/content/{id}', { path: { id } }),
    onSuccess: ({ message }) => toast({ title: 'Content Deleted', description: message }),
    onError(error) {
      const description = hasStatus(error, 404)
        ? 'This content has been deleted already.'
        : errorSentence(error, 'Failed to delete content');
      failureToast('Error', description);
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}
