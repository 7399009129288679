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

/** Sound alone, in the container of a video. */
export const soundOnly = (): Promise<Buffer> =>
  withFfmpeg('sound.mp4', '-f lavfi -i sine=frequency=440:duration=1 -c:a aac');

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
