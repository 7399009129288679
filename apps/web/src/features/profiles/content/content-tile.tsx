import { clsx } from 'clsx';
import { Eye, IdCard, Trash2 } from 'lucide-react';
import { formatCount } from '@/shared/api';
import { Amount, Button, formatDateTime } from '@/shared/ui';
import { type ContentItem, isHevc } from './content-types';
import { MediaThumb } from './media-thumb';

export interface ContentTileProps {
  item: ContentItem;
  onDelete: () => void;
  /** What the toggle of a discovery item does; posts have none. */
  card?: { isPending: boolean; onToggle: () => void } | undefined;
}

/** How a piece of content is called, for labels: its caption, or what and when it is. */
export const contentName = ({ caption, contentType, createdAt }: ContentItem): string =>
  caption ?? `${contentType === 'video' ? 'Video' : 'Image'} of ${formatDateTime(createdAt)}`;

/** A piece of one's content with its views and earnings (rule profiles-9). */
export function ContentTile({ item, onDelete, card }: ContentTileProps) {
  const name = contentName(item);
  return (
    <li
      aria-label={name}
      className={clsx(
        'flex min-w-0 flex-col gap-2 rounded-md border p-2',
        item.isCard ? 'border-nova/60 bg-nova/8' : 'border-line bg-sky-700/40',
      )}
    >
      <div className="relative">
        <MediaThumb item={item} />
        <Button
          size="icon"
          variant="ghost"
          className="absolute top-1 right-1 bg-scrim text-ink!"
          aria-label={`Delete ${name}`}
          onClick={onDelete}
        >
          <Trash2 aria-hidden="true" className="size-4" />
        </Button>
      </div>
      <p className="truncate text-sm text-ink" dir="auto" title={name}>
        {item.caption ?? <span className="text-ink-faint">No caption</span>}
      </p>
      {isHevc(item) && <p className="text-xs text-ink-muted">HEVC: few browsers play it.</p>}
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs text-ink-muted tabular-nums">
        <span className="flex items-center gap-1">
          <Eye aria-hidden="true" className="size-3.5" />
          {formatCount(item.viewCount)}
          <span className="sr-only"> views</span>
        </span>
        <Amount value={item.totalEarnings} />
      </div>
      {card && (
        <Button
          size="sm"
          variant={item.isCard ? 'primary' : 'secondary'}
          className="mt-auto w-full px-2!"
          aria-pressed={item.isCard}
          aria-label={`${item.isCard ? 'Active Card' : 'Set as Card'}: ${name}`}
          pending={card.isPending}
          icon={<IdCard aria-hidden="true" className="size-4 shrink-0" />}
          onClick={card.onToggle}
        >
          {item.isCard ? 'Active Card' : 'Set as Card'}
        </Button>
      )}
    </li>
  );
}
