import { lazy, useRef, useState } from 'react';
import { Button, Dialog, ErrorNote, failureToast, PartBoundary, Skeleton, StayOpen } from '../ui';
import { DialogActions } from './dialog-actions';

const CropArea = lazy(() => import('./crop-area'));

export interface CropDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** An address on this server, or a blob. */
  src: string;
  /** Receives the JPEG; the dialog closes when this resolves. If it throws, the dialog says so and allows a retry. */
  onSave: (jpeg: Blob) => Promise<void> | void;
}

/** Rule profiles-13. */
const FAILURE = 'Failed to update thumbnail. Please try again.';

/** Cuts a square out of an image (rule uploads-7). */
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

/** A part of an image in percent of its size, 0 to 100. */
interface PercentArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Rule uploads-7. */
const JPEG_QUALITY = 0.9;
/** The largest side that every browser can draw. */
const SIDE_PX_MAX = 4096;

/**
 * The area at the image's own resolution, as a JPEG (rule uploads-7).
 *
 * @throws Error when the browser cannot draw it
 */
async function cropToJpeg(image: HTMLImageElement, area: PercentArea): Promise<Blob> {
  const { naturalWidth, naturalHeight } = image;
  const side = Math.max(1, Math.round((area.width / 100) * naturalWidth));
  const drawn = Math.min(side, SIDE_PX_MAX);
  const canvas = document.createElement('canvas');
  canvas.width = drawn;
  canvas.height = drawn;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no canvas to draw on.');
  // JPEG has no transparency: transparent parts would become black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, drawn, drawn);
  context.imageSmoothingQuality = 'high';
  const left = Math.round((area.x / 100) * naturalWidth);
  const top = Math.round((area.y / 100) * naturalHeight);
  context.drawImage(image, left, top, side, side, 0, 0, drawn, drawn);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser could not make a JPEG.')) : resolve(blob)),
      'image/jpeg',
      JPEG_QUALITY,
    );
  });
}
