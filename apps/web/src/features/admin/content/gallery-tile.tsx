import { Eye, Heart, type LucideIcon } from 'lucide-react';
import { formatCount } from '@/shared/api';
import { Amount, formatDateTime } from '@/shared/ui';
import { MediaThumb } from '../../profiles/content/media-thumb';
import { SURFACE_LABELS, type GalleryItem } from './use-gallery';

/** The name of a content item, for labels: its caption, or its kind and date. */
export const galleryName = ({ caption, contentType, createdAt }: GalleryItem): string =>
  caption ?? `${contentType === 'video' ? 'Video' : 'Image'} of ${formatDateTime(createdAt)}`;

/** A content item with its owner and main figures; pressing it shows all details. */
export function GalleryTile({ item, onOpen }: { item: GalleryItem; onOpen: () => void }) {
  const { authorName, caption, contentType, surface, viewCount, likeCount, totalEarnings } = item;
  return (
    <li className="relative flex min-w-0 flex-col gap-2 rounded-md border border-line bg-sky-700/40 p-2 transition-colors hover:border-line-strong">
      {/* The whole tile is the button's target. */}
      <button type="button" onClick={onOpen} className="grid gap-2 text-left after:absolute after:inset-0">
        <MediaThumb item={item} />
        <span className="block min-w-0">
          <span className="sr-only">{contentType === 'video' ? 'Video by ' : 'Image by '}</span>
          <bdi className="block truncate text-left text-sm font-medium text-ink">{authorName}</bdi>
          <span dir="auto" className="block truncate text-xs text-ink-faint">
            {caption ?? 'No caption'}
          </span>
        </span>
      </button>
      <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs text-ink-muted tabular-nums">
        <span className="flex items-center gap-2.5">
          <Count icon={Eye} value={viewCount} of="views" />
          <Count icon={Heart} value={likeCount} of="likes" />
        </span>
        <Amount value={totalEarnings} />
      </div>
      <p className="text-xs text-ink-faint">{SURFACE_LABELS[surface]}</p>
    </li>
  );
}

function Count({ icon: Icon, value, of }: { icon: LucideIcon; value: number; of: string }) {
  return (
    <span className="flex items-center gap-1">
      <Icon aria-hidden="true" className="size-3.5" />
      {formatCount(value)}
      <span className="sr-only"> {of}</span>
    </span>
  );
}
