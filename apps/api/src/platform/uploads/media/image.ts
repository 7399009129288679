import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp';
import type { FfmpegInput } from './ffmpeg.js';
import { decodeHeic } from './heic.js';
import { isAnimatedPng, isAvifSequence, withEndMarker } from './image-structure.js';
import type { MediaFormat } from './media-format.js';
import type { PreparedMedia } from './prepared-media.js';
import { prepareVideo, type VideoTools } from './video.js';
import {
  FRAMES_PX_MAX,
  HEIC_PX_MAX,
  IMAGE_PX_MAX,
  MOVING_VIDEO_PX_MAX,
  SIDE_PX_MAX,
  THUMBNAIL_PX,
} from './media-limits.js';
import { RefusedFile, notUsable, unreadable } from './refused-file.js';
import { asRefused, openImage, type Source, thumbnailOf, WORK_SECONDS_MAX } from './open-image.js';

const CONVERT_SECONDS_MAX = 60;

export type ImageFormat = Exclude<MediaFormat, 'mp4' | 'webm'>;

/** As sharp calls what it read. */
const READ_AS: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  avif: 'heif',
  heic: 'heif',
};

interface Writing {
  readonly type: string;
  readonly encode: (image: Sharp) => Sharp;
}

const JPEG: Writing = { type: 'image/jpeg', encode: (image) => image.jpeg({ quality: 88, progressive: true }) };
const WEBP: Writing = { type: 'image/webp', encode: (image) => image.webp({ quality: 88 }) };
const GIF: Writing = { type: 'image/gif', encode: (image) => image.gif({ effort: 3 }) };
/** Of many frames: a better effort takes twice as long and saves little. */
const MOVING_WEBP: Writing = { type: 'image/webp', encode: (image) => image.webp({ quality: 85, effort: 0 }) };

/** AVIF becomes WebP: writing AVIF takes seconds. HEIC becomes JPEG, as its pictures are photos. */
const WRITE: Readonly<Record<ImageFormat, Writing>> = {
  jpeg: JPEG,
  png: { type: 'image/png', encode: (image) => image.png() },
  webp: WEBP,
  gif: GIF,
  avif: WEBP,
  heic: JPEG,
};

/**
 * Decodes an image and writes it anew, upright and without metadata (the position in EXIF is gone), so that nothing else that
 * the file held reaches anybody. Moving pictures keep moving; those that are too long to be kept become videos.
 * @throws RefusedFile 413 too many pixels, 415 not an image after all
 */
export async function prepareImage(original: string, format: ImageFormat, tools: VideoTools): Promise<PreparedMedia> {
  try {
    if (format === 'png' && (await isAnimatedPng(original))) return await viaFfmpeg(original, 'apng', tools);
    if (format === 'avif' && (await isAvifSequence(original))) return await viaFfmpeg(original, 'avif', tools);
    if (format === 'heic') return await writeStill(await openHeic(original), JPEG, tools);
    const { width, height, pages = 1, pageHeight = height, orientation = 1 } = await readMetadata(original, format);
    if (pages === 1) {
      checkStill(width, height, IMAGE_PX_MAX);
      return format === 'jpeg'
        ? await writeJpeg(original, tools)
        : await writeStill({ input: original }, WRITE[format], tools);
    }
    if (width * pageHeight * pages > FRAMES_PX_MAX || Math.max(width, pageHeight) > SIDE_PX_MAX) {
      return await asVideo(original, { format, px: width * pageHeight * pages }, tools);
    }
    const writing = format === 'gif' ? GIF : MOVING_WEBP;
    return await writeMoving(original, { writing, pages, isTurned: orientation > 1 }, tools);
  } catch (error) {
    throw asRefused(error);
  }
}

async function writeStill(source: Source, { type, encode }: Writing, { folder }: VideoTools): Promise<PreparedMedia> {
  const file = path.join(folder, 'file');
  const thumbnail = path.join(folder, 'thumbnail');
  // Panoramas, and pictures of large sensors, are scaled to what every browser can draw.
  const upright = openImage(source)
    .autoOrient()
    .resize({ width: SIDE_PX_MAX, height: SIDE_PX_MAX, fit: 'inside', withoutEnlargement: true });
  const { width, height } = await encode(upright).toFile(file);
  await thumbnailOf(source, thumbnail);
  return { kind: 'image', contentType: type, width, height, file, thumbnail };
}

/** Some cameras and servers leave the end marker out. Half a file is refused, with an end marker as well. */
async function writeJpeg(original: string, tools: VideoTools): Promise<PreparedMedia> {
  const write = (input: string | Buffer, failOn: 'error' | 'warning'): Promise<PreparedMedia> =>
    writeStill({ input, options: { failOn } }, JPEG, tools);
  try {
    return await write(original, 'warning');
  } catch (error) {
    // Cameras earn other warnings, and their pictures are whole.
    if (!(error instanceof Error && error.message.includes(ENDS_EARLY))) return await write(original, 'error');
    const ended = await withEndMarker(original);
    if (!ended) throw error;
    return write(ended, 'warning');
  }
}

/** The decoder's words for a scan, or a file, of which the rest is missing. */
const ENDS_EARLY = 'premature end';

interface Moving {
  readonly writing: Writing;
  readonly pages: number;
  readonly isTurned: boolean;
}

async function writeMoving(
  original: string,
  { writing: { type, encode }, pages, isTurned }: Moving,
  { folder }: VideoTools,
): Promise<PreparedMedia> {
  const file = path.join(folder, 'file');
  const thumbnail = path.join(folder, 'thumbnail');
  const moving = isTurned
    ? await turnedFrames(original, pages)
    : openImage({ input: original, options: { animated: true } });
  const info = await encode(moving).toFile(file);
  await thumbnailOf({ input: original }, thumbnail);
  return { kind: 'image', contentType: type, ...frameSize(info), file, thumbnail };
}

/** All frames of a moving picture cannot be turned at once. */
async function turnedFrames(original: string, pages: number): Promise<Sharp> {
  const { delay, loop } = await sharp(original, { animated: true }).metadata();
  const frames: Buffer[] = [];
  for (let page = 0; page < pages; page += 1) {
    frames.push(
      await openImage({ input: original, options: { page, pages: 1 } })
        .autoOrient()
        .png({ compressionLevel: 1 })
        .toBuffer(),
    );
  }
  const [first] = frames;
  if (!first || frames.length === 1) throw new Error('a moving picture has frames');
  return sharp(frames, { join: { animated: true } })
    .webp({ ...(delay && { delay }), ...(loop !== undefined && { loop }) })
    .timeout({ seconds: WORK_SECONDS_MAX });
}

/** What sharp shows without motion, or not at all, ffmpeg turns into a WebP that moves. */
async function viaFfmpeg(original: string, format: 'apng' | 'avif', tools: VideoTools): Promise<PreparedMedia> {
  const { ffmpeg, folder } = tools;
  if (!ffmpeg) throw stillOnly(format === 'apng' ? 'APNG' : 'AVIF');
  const moving = path.join(folder, 'moving.webp');
  const input: FfmpegInput = { file: original, demuxer: format === 'apng' ? 'apng' : 'mov' };
  const bounded = `scale='min(iw,${THUMBNAIL_PX * 2})':-1`;
  const output = ['-map', '0:v:0', '-an', '-vf', bounded, '-c:v', 'libwebp_anim', '-quality', '90', '-loop', '0'];
  const limits = { seconds: CONVERT_SECONDS_MAX, folder };
  const isDone = await ffmpeg.run(input, [...output, '-fs', String(tools.bytesMax), '-f', 'webp', moving], limits);
  if (!isDone) throw stillOnly(format === 'apng' ? 'APNG' : 'AVIF');
  return prepareImage(moving, 'webp', tools);
}

interface TooLong {
  readonly format: ImageFormat;
  /** Pixels of all frames. */
  readonly px: number;
}

/** A moving picture that is too long to be kept as one. */
async function asVideo(original: string, { format, px }: TooLong, tools: VideoTools): Promise<PreparedMedia> {
  const { ffmpeg, folder, kinds, bytesMax } = tools;
  if (!ffmpeg || format !== 'gif' || px > MOVING_VIDEO_PX_MAX || !kinds.includes('video')) {
    throw new RefusedFile(
      413,
      'IMAGE_TOO_LARGE',
      'This moving picture has too many frames for its size. Make it shorter or smaller, or send it as a video.',
    );
  }
  const video = path.join(folder, 'moving.mp4');
  const encoder =
    '-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p -vf scale=trunc(iw/2)*2:trunc(ih/2)*2 -movflags +faststart';
  const output = [...encoder.split(' '), '-fs', String(bytesMax), '-f', 'mp4', video];
  const limits = { seconds: CONVERT_SECONDS_MAX, folder };
  if (await ffmpeg.run({ file: original, demuxer: 'gif' }, output, limits)) return prepareVideo(video, 'mp4', tools);
  throw new Error('this GIF could not be converted');
}

async function openHeic(original: string): Promise<Source> {
  const { width, height } = await readMetadata(original, 'heic');
  checkStill(width, height, HEIC_PX_MAX);
  const { data, ...size } = await decodeHeic(await readFile(original), HEIC_PX_MAX);
  return { input: data, options: { raw: { ...size, channels: 4 } } };
}

function checkStill(width: number, height: number, pxMax: number): void {
  if (width * height <= pxMax) return;
  const size = `${width.toLocaleString('en-US')} × ${height.toLocaleString('en-US')}`;
  const most = Math.floor(pxMax / 1_000_000);
  throw new RefusedFile(413, 'IMAGE_TOO_LARGE', `This image has ${size} pixels. At most ${most} million are allowed.`);
}

/** From the head of the file, before anything is decoded. */
async function readMetadata(file: string, format: ImageFormat): Promise<Metadata> {
  const metadata = await sharp(file, { animated: true, failOn: 'error', limitInputPixels: false }).metadata();
  if (metadata.format !== READ_AS[format]) throw notUsable(['image']);
  return metadata;
}

/** Frames of a moving picture lie below each other. */
const frameSize = ({ width, height, pageHeight }: OutputInfo): { width: number; height: number } => ({
  width,
  height: pageHeight ?? height,
});

const stillOnly = (name: string): RefusedFile =>
  unreadable(`This ${name} moves, and Nova cannot keep it moving here: send it as a GIF, a WebP or a video.`);
