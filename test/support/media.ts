import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp, { type Sharp } from 'sharp';

const { path: FFMPEG } = createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { readonly path: string };

const PICTURE = { channels: 3, background: '#804020' } as const;

/** A plain picture. */
export const picture = (width = 900, height = 600): Sharp => sharp({ create: { ...PICTURE, width, height } });

/** As a phone makes it: lying on its side (shown 600 × 900), with a position and a camera's name. */
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

/** A second and a half of picture and sound, 320 × 180, with a position and a camera's name. */
export const clip = (format: 'mp4' | 'mov' | 'webm'): Promise<Buffer> =>
  withFfmpeg(
    `clip.${format}`,
    '-f lavfi -i testsrc=size=320x180:rate=10:duration=1.5 -f lavfi -i sine=frequency=440:duration=1.5 ' +
      '-metadata location=+48.8577+002.2950/ -metadata comment=SecretCamera -pix_fmt yuv420p ' +
      (format === 'webm' ? '-c:v libvpx -c:a libopus' : '-c:v libx264 -c:a aac'),
  );

/** A picture in a format of old cameras, which no browser plays. */
export const oldFormatClip = (): Promise<Buffer> =>
  withFfmpeg('old.mp4', '-f lavfi -i testsrc=size=320x180:rate=10:duration=1 -c:v mpeg4');

/** Sound alone, in the container of a video. */
export const soundOnly = (): Promise<Buffer> =>
  withFfmpeg('sound.mp4', '-f lavfi -i sine=frequency=440:duration=1 -c:a aac');

/** A small MP4 whose index names its one frame (about 300 kB) so many times, or claims so many to follow it. */
export const repeatedFrame = async (times: number, { perChunk = 1 } = {}): Promise<Buffer> => {
  const once = await withFfmpeg(
    'frame.mp4',
    '-f lavfi -i nullsrc=size=640x360,geq=random(1)*255:128:128 -frames:v 1 -pix_fmt yuv420p -c:v libx264 -qp 8',
  );
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

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};

const CONTAINING_BOXES = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl']);

/** The boxes of an MP4, each a length, a name and a content, with other contents for those named in `contents`. */
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

async function withFfmpeg(name: string, args: string): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nova-clip-'));
  try {
    const file = path.join(folder, name);
    await promisify(execFile)(FFMPEG, ['-loglevel', 'error', ...args.split(' '), file]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
