import { open } from 'node:fs/promises';
import { type PurposeLimits, unsupportedFile } from '../upload-limits.js';
import { prepareImage } from './image.js';
import { kindOf, SNIFF_BYTES, sniffMedia } from './media-format.js';
import type { PreparedMedia } from './prepared-media.js';
import { prepareVideo } from './video.js';

/**
 * Decides what a file is from its content, and writes what may be served of it into `folder`.
 * @throws AppError 413 too many pixels, or a video too large, 415 not one of the `kinds`
 */
export async function prepareMedia(
  original: string,
  folder: string,
  { kinds, bytesMax }: PurposeLimits,
): Promise<PreparedMedia> {
  const format = sniffMedia(await firstBytes(original));
  if (format === undefined || !kinds.includes(kindOf(format))) throw unsupportedFile(kinds);
  return format === 'mp4' || format === 'webm'
    ? prepareVideo(original, format, { folder, bytesMax })
    : prepareImage(original, format, folder);
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
