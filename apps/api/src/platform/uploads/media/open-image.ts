import sharp, { type Sharp, type SharpInput, type SharpOptions } from 'sharp';
import { IMAGE_PX_MAX, THUMBNAIL_PX } from './media-limits.js';
import { IMAGE_TYPES, RefusedFile, unreadable } from './refused-file.js';

// Each file is read once or twice, so keeping it in memory gains nothing.
sharp.cache(false);
// At most two files are prepared at once, on the machine of the server and perhaps of its database.
sharp.concurrency(1);

export const WORK_SECONDS_MAX = 60;

/** A picture that sharp can open. */
export interface Source {
  readonly input: SharpInput;
  readonly options?: SharpOptions;
}

/** Writes an image within 640 pixels; for a moving picture, its first frame. @throws RefusedFile 415 */
export async function writeThumbnail(image: string, target: string): Promise<void> {
  try {
    await thumbnailOf({ input: image }, target);
  } catch (error) {
    throw asRefused(error);
  }
}

export async function thumbnailOf(source: Source, target: string): Promise<void> {
  await openImage(source)
    .autoOrient()
    .resize({ width: THUMBNAIL_PX, height: THUMBNAIL_PX, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toFile(target);
}

/** Scales a thumbnail of ours down, so that its shorter side has this many pixels. */
export async function writeSmallPicture(thumbnail: string, target: string, px: number): Promise<void> {
  await openImage({ input: thumbnail })
    .resize({ width: px, height: px, fit: 'outside', withoutEnlargement: true })
    .webp({ quality: 75, effort: 5 })
    .toFile(target);
}

/** Scales a picture of ours down to fit so many pixels; a moving one goes on moving. */
export async function writeLargePicture(picture: string, target: string, px: number): Promise<void> {
  const { pages = 1 } = await openImage({ input: picture }).metadata();
  const animated = pages > 1;
  await openImage({ input: picture, options: { animated } })
    .resize({ width: px, height: px, fit: 'inside', withoutEnlargement: true })
    // For many frames: a higher effort takes twice as long and saves little.
    .webp({ quality: 80, effort: animated ? 0 : 4 })
    .toFile(target);
}

export const openImage = ({ input, options }: Source): Sharp =>
  sharp(input, {
    failOn: 'error',
    limitInputPixels: IMAGE_PX_MAX,
    sequentialRead: options?.animated !== true,
    ...options,
  }).timeout({ seconds: WORK_SECONDS_MAX });

/** A file that sharp cannot read is refused; a full disk is not the file's fault. */
export function asRefused(error: unknown): unknown {
  if (error instanceof RefusedFile) return error;
  const isOurs =
    error instanceof Error && /ENOSPC|EACCES|EMFILE|no space|unable to open for write/i.test(error.message);
  if (isOurs) return error;
  return unreadable(
    `This image cannot be read: it is damaged, or not what its name says. Send a ${IMAGE_TYPES}.`,
    error,
  );
}
