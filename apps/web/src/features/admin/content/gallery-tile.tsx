import { Eye, Heart } from 'lucide-react';
import { Amount, formatDateTime } from '@/shared/ui';
import { MediaThumb } from '../../profile/content/media-thumb';
import { SURFACE_LABELS, type GalleryItem } from './use-gallery';

/** How a content is called, for labels: its caption, or what and when it is. */
export const galleryName = ({ caption, contentType, createdAt }: GalleryItem): string =>
  caption ?? `${contentType === 'video' ? 'Video' : 'Image'} of ${formatDateTime(createdAt)}`;

/** A piece of content with whose it is and its main figures; pressing it shows all of it. */
export function GalleryTile({ item, onOpen }: { item: GalleryItem; onOpen: () => void }) {
  const { authorName, surface, viewCount, likeCount, totalEarnings } = item;
  return (
    <li className="min-w-0">
      <button
        type="button"
        aria-label={`${galleryName(item)}, by ${authorName}`}
        onClick={onOpen}
        className="flex size-full flex-col gap-2 rounded-md border border-line bg-sky-700/40 p-2 text-left transition-colors hover:border-line-strong"
      >
        <span className="block w-full">
          <MediaThumb item={item} />
        </span>
        <span className="block w-full min-w-0">
          <span className="block truncate text-sm font-medium text-ink">
            <bdi>{authorName}</bdi>
          </span>
          <span dir="auto" className="block truncate text-xs text-ink-faint">
            {item.caption ?? 'No caption'}
          </span>
        </span>
        <span className="mt-auto flex w-full flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs text-ink-muted tabular-nums">
          <span className="flex items-center gap-2.5">
            <span className="flex items-center gap-1">
              <Eye aria-hidden="true" className="size-3.5" />
              {viewCount.toLocaleString('en-US')}
            </span>
            <span className="flex items-center gap-1">
              <Heart aria-hidden="true" className="size-3.5" />
              {likeCount.toLocaleString('en-US')}
            </span>
          </span>
          <Amount value={totalEarnings} />
        </span>
        <span className="text-xs text-ink-faint">{SURFACE_LABELS[surface]}</span>
      </button>
    </li>
  );
}
