import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Ffmpeg } from './ffmpeg.js';
import { prepareImage } from './image.js';
import { kindOf, SNIFF_BYTES, sniffMedia } from './media-format.js';
import { ANSWER_FD, type MediaJob, type MediaOutcome } from './media-job.js';
import type { PreparedMedia } from './prepared-media.js';
import { notUsable, RefusedFile } from './refused-file.js';
import { prepareVideo } from './video.js';

/**
 * A process that reads one file of a member and ends: whatever the file does to it, it holds nothing else. It gets its
 * job as a line on standard input. When standard input ends, its parent has ended, and so does this process. Standard
 * output is left to libraries.
 */
const lines = createInterface({ input: process.stdin });
// The parent wrote it.
lines.once('line', (line) => void answer(JSON.parse(line) as MediaJob));
lines.once('close', () => process.exit(1));

async function answer(job: MediaJob): Promise<void> {
  const outcome = await outcomeOf(job);
  writeSync(ANSWER_FD, `${JSON.stringify(outcome)}\n`);
  process.exit(0);
}

async function outcomeOf(job: MediaJob): Promise<MediaOutcome> {
  try {
    return { is: 'prepared', media: await prepareMedia(job) };
  } catch (error) {
    if (error instanceof RefusedFile) {
      const { statusCode, code, message } = error;
      return { is: 'refused', statusCode, code, message };
    }
    return { is: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/**
 * Decides the type of a file from its content, and writes the files that may be served into the job's folder.
 * @throws RefusedFile 413 too many pixels, or a video too large, 415 not one of the `kinds`
 */
async function prepareMedia(job: MediaJob): Promise<PreparedMedia> {
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
