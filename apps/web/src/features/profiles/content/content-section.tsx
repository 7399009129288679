import { CAPTION_MAX, countCharacters } from '@app/domain';
import { clsx } from 'clsx';
import { Eye, IdCard, ImagePlus, Trash2, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { errorSentence, formatCount } from '@/shared/api';
import {
  Amount,
  Button,
  Card,
  Dialog,
  EmptyState,
  ErrorNote,
  failureToast,
  Field,
  formatDateTime,
  Skeleton,
  StayOpen,
  Textarea,
  TextInput,
} from '@/shared/ui';
import { CONTENT_RULES, UploadDialog, type UploadedFile } from '@/shared/uploads';
import { type ContentItem, isHevc, type Surface } from './content-types';
import { MediaThumb } from './media-thumb';
import { readTags, tagComplaint } from './tags';
import { sayNotUploaded, useDeleteContent, useMyContent, usePublish } from './use-content';

/** This many are shown until the member asks for all (rule profiles-9). */
const SHOWN_FIRST = 4;
const gridClasses = 'grid grid-cols-2 cramped:grid-cols-1 gap-3 sm:grid-cols-3 xl:grid-cols-4';

export interface ContentSectionProps {
  surface: Surface;
  title: string;
  description: string;
  emptyTitle: string;
  emptyText: string;
  /** Shown beside Upload. */
  actions?: ReactNode;
  /** The toggle of an item, if it has one. */
  cardOf?: (item: ContentItem) => ContentTileProps['card'];
}

/** The member's own content of one kind: up to 4 items, then all (rule profiles-9). */
export function ContentSection(props: ContentSectionProps) {
  const { surface, title, description, actions } = props;
  const [isUploadOpen, setUploadOpen] = useState(false);
  const [doomed, setDoomed] = useState<ContentItem>();
  return (
    <Card
      title={title}
      description={description}
      actions={
        <div className="flex flex-wrap gap-2">
          {actions}
          <Button size="sm" icon={<Upload aria-hidden="true" className="size-4" />} onClick={() => setUploadOpen(true)}>
            Upload
          </Button>
        </div>
      }
    >
      <ContentGrid {...props} onDelete={setDoomed} />
      <UploadContentDialog surface={surface} open={isUploadOpen} onOpenChange={setUploadOpen} />
      <DeleteContentDialog surface={surface} item={doomed} onClose={() => setDoomed(undefined)} />
    </Card>
  );
}

function ContentGrid(props: ContentSectionProps & { onDelete: (item: ContentItem) => void }) {
  const { surface, emptyTitle, emptyText, cardOf, onDelete } = props;
  const { data: items, error, refetch, isFetching } = useMyContent(surface);
  const [showsAll, setShowsAll] = useState(false);
  if (items === undefined) {
    if (error === null) return <GridSkeleton />;
    return (
      <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'Your content could not be loaded.')}
      </ErrorNote>
    );
  }
  if (items.length === 0) {
    return <EmptyState className="py-6" icon={ImagePlus} title={emptyTitle} text={emptyText} />;
  }
  const shown = showsAll ? items : items.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul className={gridClasses}>
        {shown.map((item) => (
          <ContentTile key={item.id} item={item} card={cardOf?.(item)} onDelete={() => onDelete(item)} />
        ))}
      </ul>
      {items.length > SHOWN_FIRST && (
        <Button variant="ghost" className="mt-3 w-full" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${formatCount(items.length)}`}
        </Button>
      )}
    </>
  );
}

function GridSkeleton() {
  return (
    <div aria-busy="true" className={gridClasses}>
      {Array.from({ length: SHOWN_FIRST }, (_, index) => (
        <Skeleton key={index} className="aspect-3/4 w-full rounded-md" />
      ))}
    </div>
  );
}

interface DeleteContentDialogProps {
  surface: Surface;
  /** Undefined while the dialog is closed. */
  item: ContentItem | undefined;
  onClose: () => void;
}

/** Deleting cannot be undone, so the dialog asks again. */
function DeleteContentDialog({ surface, item, onClose }: DeleteContentDialogProps) {
  const remove = useDeleteContent(surface);
  const fate = item?.isCard === true ? 'Your profile card loses it too.' : 'What it has earned stays yours.';
  return (
    <Dialog
      open={item !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title="Delete this content?"
      description={`It disappears for everyone and cannot be restored. ${fate}`}
      size="sm"
      footer={
        <>
          <StayOpen while={remove.isPending} />
          <Button disabled={remove.isPending} onClick={onClose}>
            Keep it
          </Button>
          <Button
            variant="danger"
            pending={remove.isPending}
            onClick={() => item && remove.mutate(item.id, { onSuccess: onClose })}
          >
            Delete
          </Button>
        </>
      }
    >
      <p className="text-sm wrap-anywhere text-ink" dir="auto">
        {item && contentName(item)}
      </p>
    </Dialog>
  );
}

interface ContentTileProps {
  item: ContentItem;
  onDelete: () => void;
  /** What the toggle of a discovery item does; posts have none. */
  card?: { isPending: boolean; onToggle: () => void } | undefined;
}

/** The name of a content item, for labels: its caption, or its kind and date. */
const contentName = ({ caption, contentType, createdAt }: ContentItem): string =>
  caption ?? `${contentType === 'video' ? 'Video' : 'Image'} of ${formatDateTime(createdAt)}`;

/** One of the member's content items, with its views and earnings (rule profiles-9). */
function ContentTile({ item, onDelete, card }: ContentTileProps) {
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
      <p className="truncate text-left text-sm text-ink" dir="auto" title={name}>
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

const TITLES = { 'scroll-feed': 'Upload Scroll Feed Content', discovery: 'Upload Discovery Content' } as const;

interface UploadContentDialogProps {
  surface: Surface;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Uploads one image or video, with an optional caption and tags (rule profiles-11). */
function UploadContentDialog({ surface, open, onOpenChange }: UploadContentDialogProps) {
  const [caption, setCaption] = useState('');
  const [tagText, setTagText] = useState('');
  const { mutateAsync: publish } = usePublish(surface);
  const [isTagsLeft, setTagsLeft] = useState(false);
  const hashtags = readTags(tagText);
  const captionError =
    countCharacters(caption) > CAPTION_MAX ? `The caption must be at most ${CAPTION_MAX} characters.` : undefined;
  const tagError = tagComplaint(hashtags);
  const complaint = captionError ?? tagError;

  const register = async ({ kind, mediaUrl }: UploadedFile) => {
    if (complaint !== undefined) {
      failureToast('Upload Failed', complaint);
      throw new Error(complaint);
    }
    await publish({ contentType: kind, mediaUrl, caption, hashtags });
  };
  const change = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    setCaption('');
    setTagText('');
    setTagsLeft(false);
  };
  return (
    <UploadDialog
      open={open}
      onOpenChange={change}
      title={TITLES[surface]}
      description={
        surface === 'discovery' ? 'It can be shown on your profile card.' : 'Everybody can see it in the feed.'
      }
      rules={CONTENT_RULES}
      onUploaded={register}
      onSendFailed={sayNotUploaded}
      {...(complaint === undefined ? {} : { failureText: complaint })}
    >
      <Field label="Caption" {...(captionError === undefined ? { hint: 'Optional.' } : { error: captionError })}>
        <Textarea rows={2} value={caption} onChange={(event) => setCaption(event.target.value)} />
      </Field>
      <Field
        label="Tags"
        {...(isTagsLeft && tagError !== undefined ? { error: tagError } : { hint: tagHint(hashtags) })}
      >
        <TextInput
          dir="auto"
          autoCapitalize="off"
          placeholder="#sky #night"
          value={tagText}
          onBlur={() => setTagsLeft(true)}
          onChange={(event) => setTagText(event.target.value)}
        />
      </Field>
    </UploadDialog>
  );
}

const tagHint = (tags: readonly string[]): string =>
  tags.length === 0 ? 'Optional. Words that begin with #, with spaces between them.' : `Tags: ${tags.join(', ')}`;
