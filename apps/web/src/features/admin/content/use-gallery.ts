import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiFetch, errorSentence, hasStatus, queryKeys, type Pagination } from '@/shared/api';
import { errorToast, failureToast, toast } from '@/shared/ui';
import type { AddressFilters } from '../use-address-filters';

/** S1 §9 Admin paging. */
export const GALLERY_PAGE_SIZE = 20;

/** S1 §3 Content item, admin view. */
export interface GalleryItem {
  id: string;
  contentType: 'image' | 'video';
  surface: Surface;
  mediaUrl: string;
  thumbnailUrl: string | null;
  caption: string | null;
  hashtags: string[];
  authorId: string;
  authorName: string;
  authorEmail: string;
  viewCount: number;
  likeCount: number;
  commentCount: number;
  engagementScore: number;
  /** Nova. */
  totalEarnings: number;
  createdAt: string;
}

/** Where a content is shown. */
export type Surface = 'feed' | 'discovery';
export const SURFACE_LABELS: Record<Surface, string> = { feed: 'Scroll feed', discovery: 'Discovery' };

export interface GalleryPage {
  content: GalleryItem[];
  pagination: Pagination;
}

/** Names in the address bar, and of the API. */
export const GALLERY_FILTERS = ['search', 'contentType'] as const;
export type GalleryFilterState = AddressFilters<(typeof GALLERY_FILTERS)[number]>;

export const useGallery = ({ filters, page }: GalleryFilterState) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'content', { filters, page }],
    queryFn({ signal }) {
      const query = new URLSearchParams({ page: String(page), limit: String(GALLERY_PAGE_SIZE) });
      for (const name of GALLERY_FILTERS) if (filters[name] !== '') query.set(name, filters[name]);
      return apiFetch<GalleryPage>(`/api/admin/content?${query}`, { signal });
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export interface Assignment {
  userId: string;
  mediaUrl: string;
  contentType: GalleryItem['contentType'];
  surface: Surface;
}

/** S1 §8 Admin: of the upload as of the assignment. */
export const sayNotUploaded = (error?: unknown): void => errorToast('Error', error, 'Failed to upload content');

export function useAssignContent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (assignment: Assignment) =>
      apiFetch<GalleryItem>('/api/admin/content/assign', { method: 'POST', body: assignment }),
    onSuccess: ({ authorName }) =>
      toast({ title: 'Content Assigned', description: `It is among the content of ${authorName} now.` }),
    onError: (error) => sayNotUploaded(error),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}

export function useDeleteContent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      apiFetch<{ message: string }>(`/api/admin/content/${encodeURIComponent(id)}`, { method: 'DELETE' }),
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
