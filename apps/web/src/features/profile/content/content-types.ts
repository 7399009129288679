/** A piece of one's own content with its figures (S1 §3 Content item). */
export interface ContentItem {
  id: string;
  contentType: 'image' | 'video';
  /** Names the codec where few browsers play it. */
  mediaType: string;
  mediaUrl: string;
  thumbnailUrl: string | null;
  caption: string | null;
  hashtags: string[];
  viewCount: number;
  /** Nova. */
  totalEarnings: number;
  createdAt: string;
  /** Whether one's profile card shows it. */
  isCard: boolean;
}

export const isHevc = ({ mediaType }: Pick<ContentItem, 'mediaType'>): boolean => mediaType.includes('hvc1');

/** Posts of the feed, or what one's profile card can show. */
export type Surface = 'scroll-feed' | 'discovery';

export interface NewContent {
  contentType: 'image' | 'video';
  mediaUrl: string;
  caption: string;
  hashtags: string[];
}
