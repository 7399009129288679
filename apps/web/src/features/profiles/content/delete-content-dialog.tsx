import { Button, Dialog, StayOpen } from '@/shared/ui';
import { contentName } from './content-tile';
import type { ContentItem, Surface } from './content-types';
import { useDeleteContent } from './use-content';

export interface DeleteContentDialogProps {
  surface: Surface;
  /** None: the dialog is closed. */
  item: ContentItem | undefined;
  onClose: () => void;
}

/** Deleting cannot be taken back: it is asked for once more. */
export function DeleteContentDialog({ surface, item, onClose }: DeleteContentDialogProps) {
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
