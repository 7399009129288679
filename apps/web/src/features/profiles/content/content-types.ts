import type { Schemas } from '@/shared/api';

/** A piece of one's own content with its figures (rule profiles-9). */
export type ContentItem = Schemas['ContentItemDto'];

export const isHevc = ({ mediaType }: Pick<ContentItem, 'mediaType'>): boolean => mediaType.includes('hvc1');

/** Posts of the feed, or what one's profile card can show. */
export type Surface = 'scroll-feed' | 'discovery';

export type NewContent = Schemas['NewContentDto'];
