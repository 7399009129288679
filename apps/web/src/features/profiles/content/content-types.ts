import type { Schemas } from '@/shared/api';

/** One of the member's own content items, with its figures (rule profiles-9). */
export type ContentItem = Schemas['ContentItemDto'];

export const isHevc = ({ mediaType }: Pick<ContentItem, 'mediaType'>): boolean => mediaType.includes('hvc1');

/** Posts of the feed, or content for the member's profile card. */
export type Surface = 'scroll-feed' | 'discovery';

export type NewContent = Schemas['NewContentDto'];
