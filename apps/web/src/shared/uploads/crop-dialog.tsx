import { lazy, Suspense, useRef, useState } from 'react';
import { Button, Dialog, ErrorNote, Skeleton, StayOpen, toast } from '../ui';
import { DialogActions } from './dialog-actions';
import { cropToJpeg, type PercentArea } from './crop-to-jpeg';

const CropArea = lazy(() => import('./crop-area'));

export interface CropDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** An address of this server, or a blob. */
  src: string;
  shape?: 'circle' | 'square';
  title?: string;
  description?: string;
  saveText?: string;
  /** Gets the JPEG; the dialog closes when this is done. What it throws is shown as `failureText`, and may be tried again. */
  onSave: (jpeg: Blob) => Promise<void> | void;
  /** The sentence for a failed save; S1 §8 Profile. */
  failureText?: string;
}

/** Cutting a square out of an image (S1 §2.8, §9 Crop). */
export function CropDialog(props: CropDialogProps) {
  const { open, onOpenChange, title = 'Crop Profile Thumbnail' } = props;
  const {
    description = 'The selected area is used as your profile picture throughout the app. Drag it, or move it with the arrow keys.',
  } = props;
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={description} size="lg">
      <CropForm key={props.src} {...props} />
    </Dialog>
  );
}

interface Chosen {
  image: HTMLImageElement;
  area: PercentArea;
}

function CropForm({ src, shape = 'circle', saveText = 'Save Thumbnail', ...props }: CropDialogProps) {
  const { onSave, onOpenChange } = props;
  const { failureText = 'Failed to update thumbnail. Please try again.' } = props;
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
        toast({ title: 'Error', description: failureText, variant: 'destructive' });
        throw error;
      });
      await onSave(jpeg);
      onOpenChange(false);
    } catch {
      setFailure(failureText);
    } finally {
      setSaving(false);
    }
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <StayOpen while={isSaving} />
      <div className="grid min-h-60 place-items-center overflow-hidden rounded-md border border-line bg-sky-950 p-3">
        <Suspense fallback={<Skeleton className="h-60 w-60" />}>
          <CropArea
            src={src}
            shape={shape}
            disabled={isSaving}
            onCrop={(image, area) => {
              chosen.current = { image, area };
              setIsChosen(true);
            }}
            onFailed={() => setFailure('This image could not be shown. Choose another one.')}
          />
        </Suspense>
      </div>
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <DialogActions>
        <Button disabled={isSaving} onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
        <Button variant="primary" disabled={!isChosen || isSaving} onClick={() => void save()}>
          {isSaving ? 'Processing...' : saveText}
        </Button>
      </DialogActions>
    </div>
  );
}
