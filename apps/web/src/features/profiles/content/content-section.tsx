import { ImagePlus, Upload } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { errorSentence, formatCount } from '@/shared/api';
import { Button, Card, EmptyState, ErrorNote, Skeleton } from '@/shared/ui';
import { ContentTile, type ContentTileProps } from './content-tile';
import type { ContentItem, Surface } from './content-types';
import { DeleteContentDialog } from './delete-content-dialog';
import { UploadContentDialog } from './upload-content-dialog';
import { useMyContent } from './use-content';

/** So many until one asks for all (rule profiles-9). */
const SHOWN_FIRST = 4;
const gridClasses = 'grid grid-cols-2 cramped:grid-cols-1 gap-3 sm:grid-cols-3 xl:grid-cols-4';

export interface ContentSectionProps {
  surface: Surface;
  title: string;
  description: string;
  emptyTitle: string;
  emptyText: string;
  /** Beside Upload. */
  actions?: ReactNode;
  /** The toggle of an item, where it has one. */
  cardOf?: (item: ContentItem) => ContentTileProps['card'];
}

/** One's own content of one kind: up to 4 pieces, then all (rule profiles-9). */
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
