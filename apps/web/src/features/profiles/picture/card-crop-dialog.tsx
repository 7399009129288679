import { useState } from 'react';
import { CropDialog } from '@/shared/uploads';
import type { ContentItem } from '../content/content-types';
import { useSetThumbnail } from './use-picture';

/** Cuts the round picture out of the image on one's card (rule profiles-12). */
export function CardCropDialog({ item, onClose }: { item: ContentItem | undefined; onClose: () => void }) {
  const { mutateAsync } = useSetThumbnail();
  // What is being closed is still on screen for a moment.
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
