import { cardPicture } from '@app/domain';
import { ImageOff, Play } from 'lucide-react';
import { useState } from 'react';
import type { ContentItem } from './content-types';

/** A thumbnail of a content item, for a video its poster. One that fails to load is replaced (rule profiles-13). */
export function MediaThumb({ item }: { item: Pick<ContentItem, 'contentType' | 'mediaUrl' | 'thumbnailUrl'> }) {
  const [failedUrl, setFailedUrl] = useState<string>();
  const src = item.thumbnailUrl ?? (item.contentType === 'image' ? item.mediaUrl : undefined);
  const isVideo = item.contentType === 'video';
  const hasPicture = src !== undefined && src !== failedUrl;
  return (
    <span className="relative grid aspect-square place-items-center overflow-hidden rounded-sm bg-sky-700 text-ink-faint">
      {hasPicture ? (
        <img
          {...cardPicture(src)}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          onError={() => setFailedUrl(src)}
        />
      ) : (
        <span className="grid justify-items-center gap-1 text-xs">
          {isVideo ? (
            <Play aria-hidden="true" className="size-7" />
          ) : (
            <ImageOff aria-hidden="true" className="size-7" />
          )}
          {!isVideo && <span>Not available</span>}
        </span>
      )}
      {isVideo && hasPicture && (
        <span className="absolute bottom-2 left-2 grid size-7 place-items-center rounded-full bg-scrim text-ink">
          <Play aria-hidden="true" className="size-3.5 fill-current" />
        </span>
      )}
    </span>
  );
}
