import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';

const SAMPLES = path.join(import.meta.dirname, 'samples');

const PICTURE = { channels: 3, background: '#804020' } as const;

/** A plain picture. */
export const picture = (width = 900, height = 600): Sharp => sharp({ create: { ...PICTURE, width, height } });

/** A photo as a phone makes it: stored on its side (shown 600 × 900), with a position and a camera's name. */
export const phonePhoto = (): Promise<Buffer> =>
  picture(900, 600)
    .jpeg()
    .withExif({
      IFD0: { Make: 'SecretCamera', Orientation: '6' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 30/1', GPSLongitudeRef: 'E', GPSLongitude: '2/1 17/1 40/1' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();

/** Two frames. */
export const movingGif = async (): Promise<Buffer> => {
  const frames = Buffer.alloc(40 * 60 * 3);
  frames.fill(200, frames.length / 2);
  const raw = { width: 40, height: 60, channels: 3, pageHeight: 30 } as const;
  return sharp(frames, { raw })
    .gif({ delay: [100, 100] })
    .toBuffer();
};

/**
 * Files that cameras and editors make, each of a second or two, with a position and a camera's name where it has metadata.
 * Made with ffmpeg and libheif once, so that tests need neither.
 */
export type Sample =
  | 'clip.mp4'
  | 'clip.mov'
  | 'clip.webm'
  /** A picture in a format of old cameras, which no browser plays. */
  | 'old.mp4'
  /** Sound alone, in the container of a video. */
  | 'sound.mp4'
  /** Words between the pictures of its stream (SEI). */
  | 'user-data.mp4'
  /** Cut with `-ss 0.7 -c copy`: its edit list hides the part that was cut off. It has a key frame each second. */
  | 'hidden-start.mp4'
  /** Tagged `hev1`, with words of its encoder in the configuration. */
  | 'hevc.mp4'
  | 'pcm.mov'
  | 'opus.mp4'
  | 'fragmented.mp4'
  | 'av1.mp4'
  /** An APNG. */
  | 'moving.png'
  /** A sequence of pictures. */
  | 'moving.avif'
  | 'photo.heic';

export const sample = (name: Sample): Promise<Buffer> => readFile(path.join(SAMPLES, name));

/** A second and a half of picture and sound, 320 × 180, with a position and a camera's name. */
export const clip = (format: 'mp4' | 'mov' | 'webm'): Promise<Buffer> => sample(`clip.${format}`);

/** A small MP4 whose index names its one frame (about 300 kB) so many times, or claims so many to follow it. */
export const repeatedFrame = async (times: number, { perChunk = 1 } = {}): Promise<Buffer> => {
  const once = await readFile(path.join(SAMPLES, 'frame.mp4'));
  const chunks = times / perChunk;
  return rewriteBoxes(once, {
    stts: () => words(0, 1, times, 512),
    stsc: () => words(0, 1, 1, perChunk, 1),
    stsz: (old) => words(0, old.readUInt32BE(4), times),
    stco: (old) => words(0, chunks, ...Array.from({ length: chunks }, () => old.readUInt32BE(8))),
    // It would end the film after the one frame.
    elst: () => words(0, 0),
  });
};

/** The settings that give a server the ffmpeg of this machine, if it has one. */
export const FFMPEG = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'ffmpeg'))
  .find((file) => path.isAbsolute(file) && existsSync(file));

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};

const CONTAINING_BOXES = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl']);

/**
 * Rewrites the boxes of an MP4, each a length, a name and a content, with new contents for those named in `contents`.
 */
function rewriteBoxes(boxes: Buffer, contents: Readonly<Record<string, (old: Buffer) => Buffer>>): Buffer {
  const written: Buffer[] = [];
  for (let start = 0; start < boxes.length;) {
    const end = start + boxes.readUInt32BE(start);
    const name = boxes.toString('latin1', start + 4, start + 8);
    const old = boxes.subarray(start + 8, end);
    const content = CONTAINING_BOXES.has(name) ? rewriteBoxes(old, contents) : (contents[name]?.(old) ?? old);
    written.push(words(content.length + 8), Buffer.from(name, 'latin1'), content);
    start = end;
  }
  return Buffer.concat(written);
}
