import { open } from 'node:fs/promises';
import { Ffmpeg } from './ffmpeg.js';
import { prepareImage } from './image.js';
import { kindOf, SNIFF_BYTES, sniffMedia } from './media-format.js';
import type { MediaJob } from './media-job.js';
import type { PreparedMedia } from './prepared-media.js';
import { prepareVideo } from './video.js';
import { notUsable } from './refused-file.js';

/**
 * Decides what a file is from its content, and writes what may be served of it into the job's folder.
 * @throws RefusedFile 413 too many pixels, or a video too large, 415 not one of the `kinds`
 */
export async function prepareMedia(job: MediaJob): Promise<PreparedMedia> {
  const { original, kinds } = job;
  const format = sniffMedia(await firstBytes(original));
  if (format === undefined || !kinds.includes(kindOf(format))) throw notUsable(kinds);
  const tools = { ...job, ffmpeg: job.ffmpeg === null ? undefined : new Ffmpeg(job.ffmpeg) };
  return format === 'mp4' || format === 'webm'
    ? prepareVideo(original, format, tools)
    : prepareImage(original, format, tools);
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
