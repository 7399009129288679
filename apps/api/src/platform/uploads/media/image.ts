import { open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp';
import type { FfmpegInput } from './ffmpeg.js';
import type { MediaFormat } from './media-format.js';
import {
  FRAMES_PX_MAX,
  HEIC_PX_MAX,
  IMAGE_PX_MAX,
  MOVING_VIDEO_PX_MAX,
  SIDE_PX_MAX,
  THUMBNAIL_PX,
} from './media-limits.js';
import { asRefused, openImage, type Source, thumbnailOf, WORK_SECONDS_MAX } from './open-image.js';
import type { PreparedMedia } from './prepared-media.js';
import { notUsable, RefusedFile, unreadable } from './refused-file.js';
import { prepareVideo, type VideoTools } from './video.js';

/** The few parts of libheif in use here. It comes without types. */
interface HeifImage {
  get_width(): number;
  get_height(): number;
  display(target: HeifPixels, done: (pixels: HeifPixels | null) => void): void;
}

interface HeifPixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

interface Libheif {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

interface DecodedPicture {
  /** Red, green, blue and alpha of each pixel. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes the main picture of a HEIC and turns it upright.
 * @throws RefusedFile 415, which says what to do instead
 */
async function decodeHeic(bytes: Uint8Array, pxMax: number): Promise<DecodedPicture> {
  // Loaded here, so that only processes that need its WebAssembly load it.
  const { HeifDecoder } = createRequire(import.meta.url)('libheif-js/wasm-bundle.js') as Libheif;
  const [image] = new HeifDecoder().decode(bytes);
  const [width, height] = [image?.get_width() ?? 0, image?.get_height() ?? 0];
  if (!image || width * height === 0 || width * height > pxMax) throw heicUnreadable();
  const target = { data: new Uint8ClampedArray(width * height * 4), width, height };
  const pixels = await new Promise<HeifPixels | null>((resolve) => image.display(target, resolve));
  if (!pixels) throw heicUnreadable();
  return { data: Buffer.from(pixels.data.buffer), width, height };
}

const heicUnreadable = (): RefusedFile =>
  unreadable(
    'This HEIC picture cannot be read. Send it as a JPEG: an iPhone takes those with Camera › Formats › Most Compatible.',
  );

const PNG_HEAD_BYTES = 65_536;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Whether a PNG is an APNG: its `acTL` comes before its first picture. */
async function isAnimatedPng(file: string): Promise<boolean> {
  const head = await headOf(file, PNG_HEAD_BYTES);
  for (let at = 8; at + 8 <= head.length;) {
    const type = head.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    at += head.readUInt32BE(at) + 12;
  }
  return false;
}

/** Whether an AVIF is a sequence of pictures: one of its brands is `avis`, and it has a movie. */
async function isAvifSequence(file: string): Promise<boolean> {
  const head = await headOf(file, PNG_HEAD_BYTES);
  const end = Math.min(head.readUInt32BE(0), head.length);
  return head.subarray(8, end).includes('avis') && head.includes('moov');
}

/**
 * Adds the end marker to a JPEG that lacks it; undefined if it has one. The decoder finds out whether more is missing.
 */
async function withEndMarker(file: string): Promise<Buffer | undefined> {
  const bytes = await readFile(file);
  return bytes.subarray(-2).equals(END_OF_IMAGE) ? undefined : Buffer.concat([bytes, END_OF_IMAGE]);
}

async function headOf(file: string, bytesMax: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytesMax), 0, bytesMax, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const CONVERT_SECONDS_MAX = 60;

export type ImageFormat = Exclude<MediaFormat, 'mp4' | 'webm'>;

/** What sharp calls each format that it read. */
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
/** For many frames: a higher effort takes twice as long and saves little. */
const MOVING_WEBP: Writing = { type: 'image/webp', encode: (image) => image.webp({ quality: 85, effort: 0 }) };

/** AVIF becomes WebP, because writing AVIF takes seconds. HEIC becomes JPEG, because its pictures are photos. */
const WRITE: Readonly<Record<ImageFormat, Writing>> = {
  jpeg: JPEG,
  png: { type: 'image/png', encode: (image) => image.png() },
  webp: WEBP,
  gif: GIF,
  avif: WEBP,
  heic: JPEG,
};

/**
 * Decodes an image and writes it anew, upright and without metadata (the position in EXIF is gone), so that nothing
 * else in the file reaches anybody. Moving pictures stay moving; those that are too long become videos.
 * @throws RefusedFile 413 too many pixels, 415 not an image
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
  // Panoramas and pictures of large sensors are scaled down to a size that every browser can draw.
  const upright = openImage(source)
    .autoOrient()
    .resize({ width: SIDE_PX_MAX, height: SIDE_PX_MAX, fit: 'inside', withoutEnlargement: true });
  const { width, height } = await encode(upright).toFile(file);
  await thumbnailOf(source, thumbnail);
  return { kind: 'image', contentType: type, width, height, file, thumbnail };
}

/** Some cameras and servers leave out the end marker. Half a file is refused even with an end marker. */
async function writeJpeg(original: string, tools: VideoTools): Promise<PreparedMedia> {
  const write = (input: string | Buffer, failOn: 'error' | 'warning'): Promise<PreparedMedia> =>
    writeStill({ input, options: { failOn } }, JPEG, tools);
  try {
    return await write(original, 'warning');
  } catch (error) {
    // Other warnings come from pictures of cameras that are complete.
    if (!(error instanceof Error && error.message.includes(ENDS_EARLY))) return await write(original, 'error');
    const ended = await withEndMarker(original);
    if (!ended) throw error;
    return write(ended, 'warning');
  }
}

/** The decoder's words for a scan or a file whose rest is missing. */
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

/** sharp cannot rotate all frames of a moving picture at once, so each frame is rotated on its own. */
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

/** Moving pictures that sharp shows still, or not at all: ffmpeg turns them into a moving WebP. */
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

/** Converts a moving picture that is too long to stay one. */
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

/** Reads from the head of the file, before anything is decoded. */
async function readMetadata(file: string, format: ImageFormat): Promise<Metadata> {
  const metadata = await sharp(file, { animated: true, failOn: 'error', limitInputPixels: false }).metadata();
  if (metadata.format !== READ_AS[format]) throw notUsable(['image']);
  return metadata;
}

/** sharp stacks the frames of a moving picture on top of each other. */
const frameSize = ({ width, height, pageHeight }: OutputInfo): { width: number; height: number } => ({
  width,
  height: pageHeight ?? height,
});

const stillOnly = (name: string): RefusedFile =>
  unreadable(`This ${name} moves, and Nova cannot keep it moving here: send it as a GIF, a WebP or a video.`);
