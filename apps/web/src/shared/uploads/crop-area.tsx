import { useState } from 'react';
import { centerCrop, makeAspectCrop, type PercentCrop, ReactCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';

export interface CropAreaProps {
  src: string;
  disabled: boolean;
  /** Called after every completed change, and once the image has loaded. */
  onCrop: (image: HTMLImageElement, area: PercentCrop) => void;
  onFailed: () => void;
}

/** The crop before the image's size is known (rule uploads-7). */
const FIRST_CROP: PercentCrop = { unit: '%', x: 25, y: 25, width: 50, height: 50 };
const SMALLEST_PX = 24;

/**
 * Selects a square of an image (rule uploads-7); the circle previews an avatar. Arrow keys move it by 1, with Shift by
 * 10, with Ctrl or ⌘ by 100 (the library's steps).
 */
export default function CropArea({ src, disabled, onCrop, onFailed }: CropAreaProps) {
  const [crop, setCrop] = useState<PercentCrop>(FIRST_CROP);
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const start = (loaded: HTMLImageElement) => {
    const largest = largestSquare(loaded);
    setImage(loaded);
    setCrop(largest);
    onCrop(loaded, largest);
  };
  return (
    <ReactCrop
      // The library's picture inherits its height from here; a class of its own loses against the library's.
      className="max-h-[min(400px,50dvh)]"
      crop={crop}
      aspect={1}
      circularCrop
      ruleOfThirds
      keepSelection
      minWidth={SMALLEST_PX}
      disabled={disabled}
      onChange={(_, area) => setCrop(area)}
      onComplete={(_, area) => image !== null && area.width > 0 && onCrop(image, area)}
    >
      <img
        src={src}
        alt="Crop preview"
        className="w-auto"
        onLoad={(event) => start(event.currentTarget)}
        onError={onFailed}
      />
    </ReactCrop>
  );
}

function largestSquare({ width, height }: HTMLImageElement): PercentCrop {
  const bySide = width < height ? ({ unit: '%', width: 100 } as const) : ({ unit: '%', height: 100 } as const);
  return centerCrop(makeAspectCrop(bySide, 1, width, height), width, height);
}
