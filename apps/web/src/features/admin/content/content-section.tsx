import { Images, Upload } from 'lucide-react';
import { useState } from 'react';
import { Button, Card, Skeleton } from '@/shared/ui';
import { FilterChips } from '../filter-chips';
import { ListBody } from '../list-body';
import { Pager } from '../pager';
import { useAddressFilters } from '../use-address-filters';
import { AssignDialog } from './assign-dialog';
import { ContentDialog } from './content-dialog';
import { GalleryFilterBar, kindLabel } from './gallery-filter-bar';
import { GalleryTile } from './gallery-tile';
import { GALLERY_FILTERS, GALLERY_PAGE_SIZE, useGallery, type GalleryItem } from './use-gallery';

const GRID = 'grid grid-cols-2 gap-3 border-t border-line p-4 sm:grid-cols-3 sm:p-6 lg:grid-cols-4 xl:grid-cols-5';

/** Content Gallery (rule admin-13): everything that members show, found, looked at, deleted; and files assigned to members. */
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
