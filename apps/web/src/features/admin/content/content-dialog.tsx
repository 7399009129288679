import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatCount } from '@/shared/api';
import { Amount, Button, Dialog, formatDateTime, StayOpen } from '@/shared/ui';
import { MemberLink } from '../member-link';
import { galleryName } from './gallery-tile';
import { SURFACE_LABELS, useDeleteContent, type GalleryItem } from './use-gallery';

/** A piece of content as members see it, with its figures, and the way to take it away. */
export function ContentDialog({ item, onClose }: { item: GalleryItem | null; onClose: () => void }) {
  return (
    <Dialog
      open={item !== null}
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title="Content"
      footer={item !== null && <Deletion key={item.id} item={item} onDone={onClose} />}
    >
      {item !== null && <Content item={item} />}
    </Dialog>
  );
}

function Content({ item }: { item: GalleryItem }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <Media item={item} />
      {item.caption !== null && (
        <p dir="auto" className="text-sm wrap-anywhere whitespace-pre-wrap text-ink">
          {item.caption}
        </p>
      )}
      {item.hashtags.length > 0 && (
        <p dir="auto" className="text-sm wrap-anywhere text-ink-muted">
          {item.hashtags.map((tag) => `#${tag}`).join(' ')}
        </p>
      )}
      <Figures item={item} />
    </div>
  );
}

function Media({ item }: { item: GalleryItem }) {
  const shape = 'max-h-[40dvh] w-full rounded-md bg-sky-950 object-contain';
  if (item.contentType === 'image') return <img src={item.mediaUrl} alt={galleryName(item)} className={shape} />;
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- What members upload has no captions.
    <video
      src={item.mediaUrl}
      poster={item.thumbnailUrl ?? undefined}
      aria-label={galleryName(item)}
      controls
      playsInline
      preload="metadata"
      className={shape}
    />
  );
}

function Figures({ item }: { item: GalleryItem }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
      <Figure name="Member">
        <MemberLink name={item.authorName} />
        <span className="block truncate text-xs text-ink-faint" title={item.authorEmail}>
          {item.authorEmail}
        </span>
      </Figure>
      <Figure name="Shown in">{SURFACE_LABELS[item.surface]}</Figure>
      <Figure name="Since">{formatDateTime(item.createdAt)}</Figure>
      <Figure name="Views">{formatCount(item.viewCount)}</Figure>
      <Figure name="Likes">{formatCount(item.likeCount)}</Figure>
      <Figure name="Comments">{formatCount(item.commentCount)}</Figure>
      <Figure name="Engagement score">{formatCount(item.engagementScore)}</Figure>
      <Figure name="Earned">
        <Amount value={item.totalEarnings} />
      </Figure>
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-faint">{name}</dt>
      <dd className="mt-0.5 min-w-0 text-ink tabular-nums">{children}</dd>
    </div>
  );
}

/** Deleting cannot be taken back: it is asked for once more, in place. */
function Deletion({ item, onDone }: { item: GalleryItem; onDone: () => void }) {
  const [isAsked, setAsked] = useState(false);
  const remove = useDeleteContent();
  if (!isAsked) {
    return (
      <Button variant="danger" icon={<Trash2 aria-hidden="true" className="size-4" />} onClick={() => setAsked(true)}>
        Delete content
      </Button>
    );
  }
  return (
    <section aria-label="Delete this content?" className="grid w-full gap-3">
      <StayOpen while={remove.isPending} />
      <p className="text-sm text-ink">
        It disappears for everyone and cannot be restored. What it has earned stays with <bdi>{item.authorName}</bdi>.
      </p>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that was pressed is gone; the safe answer takes its place. */}
        <Button autoFocus disabled={remove.isPending} onClick={() => setAsked(false)}>
          Keep it
        </Button>
        <Button
          variant="danger"
          pending={remove.isPending}
          onClick={() => remove.mutate(item.id, { onSuccess: onDone })}
        >
          Delete
        </Button>
      </div>
    </section>
  );
}
