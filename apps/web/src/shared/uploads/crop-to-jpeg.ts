/** Part of an image as shares of its size, 0 to 100. */
export interface PercentArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Rule uploads-7. */
const JPEG_QUALITY = 0.9;
/** What every browser can draw. */
const SIDE_PX_MAX = 4096;

/**
 * The area at the image's own resolution, as a JPEG (rule uploads-7).
 *
 * @throws Error when the browser cannot draw it
 */
export async function cropToJpeg(image: HTMLImageElement, area: PercentArea): Promise<Blob> {
  const { naturalWidth, naturalHeight } = image;
  const side = Math.max(1, Math.round((area.width / 100) * naturalWidth));
  const drawn = Math.min(side, SIDE_PX_MAX);
  const canvas = document.createElement('canvas');
  canvas.width = drawn;
  canvas.height = drawn;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no canvas to draw on.');
  // JPEG has no transparency: what shows through would become black.
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
