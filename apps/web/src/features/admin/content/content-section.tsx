import { Images, Trash2, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatCount } from '@/shared/api';
import {
  Amount,
  Button,
  Card,
  Dialog,
  Field,
  formatDateTime,
  Select,
  Skeleton,
  StayOpen,
  TextInput,
} from '@/shared/ui';
import { ADMIN_CONTENT_RULES, UploadDialog, type UploadedFile } from '@/shared/uploads';
import { ChosenPerson } from '../../gifts/person-search';
import { FilterChips } from '../filter-chips';
import { ListBody } from '../list-body';
import { MemberLink } from '../member-link';
import { MemberSearch } from '../member-search';
import { Pager } from '../pager';
import { useAddressFilters } from '../use-address-filters';
import type { AdminUser } from '../use-admin';
import { galleryName, GalleryTile } from './gallery-tile';
import {
  GALLERY_FILTERS,
  GALLERY_PAGE_SIZE,
  type GalleryFilterState,
  type GalleryItem,
  sayNotUploaded,
  type Surface,
  SURFACE_LABELS,
  useAssignContent,
  useDeleteContent,
  useGallery,
} from './use-gallery';

const GRID = 'grid grid-cols-2 gap-3 border-t border-line p-4 sm:grid-cols-3 sm:p-6 lg:grid-cols-4 xl:grid-cols-5';

/**
 * Content Gallery (rule admin-13): search, view and delete everything that members show, and assign files to members.
 */
export function ContentSection() {
  const state = useAddressFilters(GALLERY_FILTERS);
  const gallery = useGallery(state);
  const [shown, setShown] = useState<GalleryItem | null>(null);
  const [isAssigning, setAssigning] = useState(false);
  return (
    <Card
      title="Content Gallery"
      flush
      aria-busy={gallery.isFetching}
      actions={
        <Button
          variant="primary"
          icon={<Upload aria-hidden="true" className="size-4" />}
          onClick={() => setAssigning(true)}
        >
          Upload for a member
        </Button>
      }
    >
      <GalleryFilterBar state={state} />
      <FilterChips state={state} textOf={(name, value) => (name === 'search' ? `“${value}”` : kindLabel(value))} />
      <ListBody
        list={gallery}
        failure="The content could not be loaded."
        empty={{
          icon: Images,
          title: 'No content yet',
          text: 'What members show in the feed and on their cards appears here.',
        }}
        isFiltered={state.isFiltered}
        onClear={state.clearAll}
        onFirstPage={() => state.goTo(1)}
        skeleton={<GridSkeleton />}
      >
        {(page) => (
          <ul aria-label="Content" className={GRID}>
            {page.content.map((item) => (
              <GalleryTile key={item.id} item={item} onOpen={() => setShown(item)} />
            ))}
          </ul>
        )}
      </ListBody>
      {gallery.data !== undefined && (
        <Pager label="Pages of content" pagination={gallery.data.pagination} onGoTo={state.goTo} />
      )}
      <ContentDialog item={shown} onClose={() => setShown(null)} />
      <AssignDialog open={isAssigning} onOpenChange={setAssigning} />
    </Card>
  );
}

function GridSkeleton() {
  return (
    <div aria-busy="true" className={GRID}>
      {Array.from({ length: GALLERY_PAGE_SIZE / 2 }, (_, index) => (
        <Skeleton key={index} className="aspect-3/4 w-full rounded-md" />
      ))}
    </div>
  );
}

/** Means no filter, because an option of a select must not be empty (rule screens-15). */
const EVERY_KIND = 'all';
const KINDS = [
  { value: EVERY_KIND, label: 'Images and videos' },
  { value: 'image', label: 'Images' },
  { value: 'video', label: 'Videos' },
];

const kindLabel = (kind: string): string => KINDS.find(({ value }) => value === kind)?.label ?? kind;

function GalleryFilterBar({ state }: { state: GalleryFilterState }) {
  const { contentType } = state.filters;
  return (
    <div className="grid grid-cols-1 items-end gap-3 px-4 pb-4 sm:grid-cols-[2fr_1fr] sm:px-6 lg:max-w-2xl">
      <Field label="Search content">
        <TextInput
          type="search"
          autoComplete="off"
          placeholder="Name, e-mail, caption, #tag"
          value={state.searchText}
          onChange={({ target }) => state.type(target.value)}
        />
      </Field>
      <Field label="Kind">
        <Select
          options={KINDS}
          value={contentType === '' ? EVERY_KIND : contentType}
          onChange={({ target }) => state.set('contentType', target.value === EVERY_KIND ? '' : target.value)}
        />
      </Field>
    </div>
  );
}

const SURFACES = [
  { value: 'discovery', label: SURFACE_LABELS.discovery },
  { value: 'feed', label: SURFACE_LABELS.feed },
] as const satisfies readonly { value: Surface; label: string }[];

interface AssignDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * Assigns a file to a member: the admin chooses both, and the file is sent and becomes the member's (rule admin-13).
 */
function AssignDialog({ open, onOpenChange }: AssignDialogProps) {
  const [member, setMember] = useState<AdminUser | null>(null);
  const [surface, setSurface] = useState<Surface>('discovery');
  const { mutateAsync: assign } = useAssignContent();

  const register = async ({ kind, mediaUrl }: UploadedFile) => {
    if (member !== null) await assign({ userId: member.id, mediaUrl, contentType: kind, surface });
  };
  const change = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    setMember(null);
    setSurface('discovery');
  };
  return (
    <UploadDialog
      open={open}
      onOpenChange={change}
      title="Upload content for a member"
      description="An image or a video, up to 100MB. It becomes the member’s own."
      rules={ADMIN_CONTENT_RULES}
      submitText="Upload and assign"
      submitDisabled={member === null}
      onUploaded={register}
      onSendFailed={sayNotUploaded}
    >
      {member === null ? (
        <MemberSearch onChoose={setMember} />
      ) : (
        <Field label="Member">
          <ChosenPerson person={member} detail={member.email} onClear={() => setMember(null)} />
        </Field>
      )}
      <Field label="Shown in" hint="Discovery content can appear on the member’s card. The scroll feed shows posts.">
        <Select
          options={SURFACES}
          value={surface}
          onChange={({ target }) => setSurface(target.value === 'feed' ? 'feed' : 'discovery')}
        />
      </Field>
    </UploadDialog>
  );
}

/** A piece of content as members see it, with its figures and a way to delete it. */
function ContentDialog({ item, onClose }: { item: GalleryItem | null; onClose: () => void }) {
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

/** Deleting cannot be undone, so it asks again, in place. */
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
