import { Crop } from 'lucide-react';
import { useState } from 'react';
import { Button, failureToast } from '@/shared/ui';
import { CropDialog } from '@/shared/uploads';
import { useSetThumbnail } from '../picture/use-picture';
import { ContentSection } from './content-section';
import type { ContentItem } from './content-types';
import { useChooseCard, useMyContent } from './use-content';

/** What the member shows: posts in the feed, and content for their profile card (rule profiles-9). */
export function ContentTab() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <PostsSection />
      <DiscoverySection />
    </div>
  );
}

export function PostsSection() {
  return (
    <ContentSection
      surface="scroll-feed"
      title="Scroll Feed Content"
      description="Your posts. Others pay 1 Nova to see one; half of it is yours."
      emptyTitle="No posts yet"
      emptyText="Upload an image or a video: it appears in the feed."
    />
  );
}

function DiscoverySection() {
  const { data: items } = useMyContent('discovery');
  const choose = useChooseCard();
  const [cropped, setCropped] = useState<ContentItem>();
  const active = items?.find(({ isCard }) => isCard);

  const toggle = (item: ContentItem) => {
    if (choose.isPending) return;
    choose.mutate(item.isCard ? null : item.id, {
      // An image that has just become the card can be cropped to the round picture at once.
      onSuccess: () => !item.isCard && item.contentType === 'image' && setCropped(item),
    });
  };
  const crop = () => {
    if (active?.contentType === 'image') setCropped(active);
    else failureToast('No Profile Card Selected', NO_CARD);
  };
  return (
    <>
      <ContentSection
        surface="discovery"
        title="Discovery Content"
        description="One of these is the face of your profile card."
        emptyTitle="No discovery content yet"
        emptyText="Upload an image or a video, and set it as your card."
        actions={
          <Button size="sm" icon={<Crop aria-hidden="true" className="size-4" />} onClick={crop}>
            Crop Profile Card
          </Button>
        }
        cardOf={(item) => ({
          isPending: choose.isPending && choose.variables === (item.isCard ? null : item.id),
          onToggle: () => toggle(item),
        })}
      />
      <CardCropDialog item={cropped} onClose={() => setCropped(undefined)} />
    </>
  );
}

/** Word for word (rule profiles-10). */
const NO_CARD = 'Please select an image as your profile card first, then use the crop tool.';

/** Crops the image on the member's card to the round picture (rule profiles-12). */
function CardCropDialog({ item, onClose }: { item: ContentItem | undefined; onClose: () => void }) {
  const { mutateAsync } = useSetThumbnail();
  // The closing dialog stays on the screen for a moment.
  const [last, setLast] = useState(item);
  if (item !== undefined && item !== last) setLast(item);
  if (last === undefined) return null;
  return (
    <CropDialog
      open={item !== undefined}
      onOpenChange={(open) => !open && onClose()}
      src={last.mediaUrl}
      onSave={async (jpeg) => void (await mutateAsync(jpeg))}
    />
  );
}
