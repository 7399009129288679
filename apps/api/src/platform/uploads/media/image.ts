import path from 'node:path';
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp';
import { AppError } from '../../errors/app-error.js';
import { FRAMES_PX_MAX, SIDE_PX_MAX, THUMBNAIL_PX, unsupportedFile } from '../upload-limits.js';
import type { MediaFormat } from './media-format.js';
import type { PreparedMedia } from './prepared-media.js';

// Each file is read once or twice: nothing is won by keeping it in memory.
sharp.cache(false);

const WORK_SECONDS_MAX = 60;

type ImageFormat = Exclude<MediaFormat, 'mp4' | 'webm'>;

/** As sharp calls what it read. */
const READ_AS: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  avif: 'heif',
};

/** AVIF becomes WebP: writing AVIF takes seconds. */
const WRITE: Readonly<Record<ImageFormat, { readonly type: string; readonly encode: (image: Sharp) => Sharp }>> = {
  jpeg: { type: 'image/jpeg', encode: (image) => image.jpeg({ quality: 88, progressive: true }) },
  png: { type: 'image/png', encode: (image) => image.png() },
  webp: { type: 'image/webp', encode: (image) => image.webp({ quality: 88 }) },
  gif: { type: 'image/gif', encode: (image) => image.gif({ effort: 3 }) },
  avif: { type: 'image/webp', encode: (image) => image.webp({ quality: 88 }) },
};

/**
 * Decodes an image and writes it anew, upright and without metadata (`decisions.md`, Uploads; the position in EXIF is gone),
 * so that nothing else that the file held reaches anybody. Moving pictures keep moving.
 * @throws AppError 413 too many pixels, 415 not an image after all
 */
export async function prepareImage(original: string, format: ImageFormat, folder: string): Promise<PreparedMedia> {
  const { type, encode } = WRITE[format];
  const file = path.join(folder, 'file');
  const thumbnail = path.join(folder, 'thumbnail');
  await checkSize(original, format);
  try {
    const animated = format === 'gif' || format === 'webp';
    const info = await encode(openImage(original, { animated }).autoOrient()).toFile(file);
    await writeThumbnail(original, thumbnail);
    return { kind: 'image', contentType: type, ...frameSize(info), file, thumbnail };
  } catch (error) {
    throw refuse(error);
  }
}

/** An image within 640 pixels; of a moving picture its first frame. @throws AppError 415 */
export async function writeThumbnail(image: string, target: string): Promise<void> {
  await openImage(image, { animated: false })
    .autoOrient()
    .resize({ width: THUMBNAIL_PX, height: THUMBNAIL_PX, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toFile(target);
}

const openImage = (file: string, { animated }: { animated: boolean }): Sharp =>
  sharp(file, { animated, failOn: 'error', limitInputPixels: FRAMES_PX_MAX, sequentialRead: !animated }).timeout({
    seconds: WORK_SECONDS_MAX,
  });

async function checkSize(file: string, format: ImageFormat): Promise<void> {
  const { width, height, pages = 1, pageHeight, format: readAs } = await readMetadata(file);
  if (readAs !== READ_AS[format]) throw unsupportedFile(['image']);
  const frameHeight = pageHeight ?? height;
  if (Math.max(width, frameHeight) > SIDE_PX_MAX) {
    const size = `${width.toLocaleString('en-US')} × ${frameHeight.toLocaleString('en-US')}`;
    const most = SIDE_PX_MAX.toLocaleString('en-US');
    throw new AppError(413, 'IMAGE_TOO_LARGE', `This image has ${size} pixels: it may have ${most} on a side at most.`);
  }
  if (width * frameHeight * pages > FRAMES_PX_MAX) {
    throw new AppError(413, 'IMAGE_TOO_LARGE', 'This moving picture has too many frames for its size.');
  }
}

async function readMetadata(file: string): Promise<Metadata> {
  try {
    return await sharp(file, { animated: true, failOn: 'error', limitInputPixels: false }).metadata();
  } catch (error) {
    throw refuse(error);
  }
}

/** Frames of a moving picture lie below each other. */
const frameSize = ({ width, height, pageHeight }: OutputInfo): { width: number; height: number } => ({
  width,
  height: pageHeight ?? height,
});

/** What sharp cannot read is the file's fault; a full disk is not. */
function refuse(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const isOurs =
    error instanceof Error && /ENOSPC|EACCES|EMFILE|no space|unable to open for write/i.test(error.message);
  if (isOurs) return error;
  return new AppError(
    415,
    'UNSUPPORTED_FILE',
    'This image cannot be read: it is damaged, or not what its name says. Send a JPEG, PNG, WebP, GIF or AVIF.',
    { cause: error },
  );
}
