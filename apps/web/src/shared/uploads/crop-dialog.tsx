import { lazy, useRef, useState } from 'react';
import { Button, Dialog, ErrorNote, failureToast, PartBoundary, Skeleton, StayOpen } from '../ui';
import { DialogActions } from './dialog-actions';
import { cropToJpeg, type PercentArea } from './crop-to-jpeg';

const CropArea = lazy(() => import('./crop-area'));

export interface CropDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** An address of this server, or a blob. */
  src: string;
  /** Gets the JPEG; the dialog closes when this is done. When it throws, that is said, and may be tried again. */
  onSave: (jpeg: Blob) => Promise<void> | void;
}

/** Rule profiles-13. */
const FAILURE = 'Failed to update thumbnail. Please try again.';

/** Cutting a square out of an image (rule uploads-7). */
export function CropDialog(props: CropDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Crop Profile Thumbnail"
      description="The selected area is used as your profile picture throughout the app. Drag it, or move it with the arrow keys."
      size="lg"
    >
      <CropForm key={props.src} {...props} />
    </Dialog>
  );
}

interface Chosen {
  image: HTMLImageElement;
  area: PercentArea;
}

function CropForm({ src, onSave, onOpenChange }: CropDialogProps) {
  const chosen = useRef<Chosen>(null);
  const [isChosen, setIsChosen] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const save = async () => {
    if (chosen.current === null) return;
    setFailure(null);
    setSaving(true);
    try {
      const jpeg = await cropToJpeg(chosen.current.image, chosen.current.area).catch((error: unknown) => {
        failureToast('Error', FAILURE);
        throw error;
      });
      await onSave(jpeg);
      onOpenChange(false);
    } catch {
      setFailure(FAILURE);
    } finally {
      setSaving(false);
    }
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <StayOpen while={isSaving} />
      <div className="grid min-h-60 place-items-center overflow-hidden rounded-md border border-line bg-sky-950 p-3">
        <PartBoundary
          skeleton={<Skeleton className="h-60 w-60" />}
          failure="The crop tool could not be loaded. Check your connection and try again."
        >
          <CropArea
            src={src}
            disabled={isSaving}
            onCrop={(image, area) => {
              chosen.current = { image, area };
              setIsChosen(true);
            }}
            onFailed={() => setFailure('This image could not be shown. Choose another one.')}
          />
        </PartBoundary>
      </div>
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <DialogActions>
        <Button disabled={isSaving} onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
        <Button variant="primary" disabled={!isChosen || isSaving} onClick={() => void save()}>
          {isSaving ? 'Processing...' : 'Save Thumbnail'}
        </Button>
      </DialogActions>
    </div>
  );
}
