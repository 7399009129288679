import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError } from '../../../platform/errors/app-error.js';
import { startFfmpeg } from '../../../platform/uploads/media/ffmpeg.js';

/** Every motion repeats after this time, so that a clip that plays again and again has no seam. */
export const CLIP_SECONDS = 3.6;
const FRAMES_PER_SECOND = 20;
const CLIP_MS_MAX = 60_000;
const SAID_CHARACTERS_MAX = 2_000;

/** A still picture that moves over those before it. Expressions are ffmpeg's; `t` is the time in seconds. */
export interface ClipLayer {
  readonly png: Buffer;
  readonly x?: string;
  readonly y?: string;
  /** When it is seen; always, where it is absent. */
  readonly shown?: string;
}

export interface Clip {
  readonly width: number;
  readonly height: number;
  /** From back to front. */
  readonly layers: readonly ClipLayer[];
}

/** A clip; where ffmpeg does not run, a picture in its place. */
export async function clipOrPicture(clip: () => Promise<Buffer>, picture: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await clip();
  } catch (error) {
    if (error instanceof AppError && error.code === 'VIDEOS_UNAVAILABLE') return picture();
    throw error;
  }
}

/** A swing around 0 and back within the clip, so many times. */
export const swing = (amplitude: number, times = 1): string => `${amplitude}*sin(2*PI*${times}*t/${CLIP_SECONDS})`;

/** Makes a short H.264 video of pictures that move over one another. */
export async function renderClip({ width, height, layers }: Clip): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nova-clip-'));
  try {
    const files = layers.map((_, index) => path.join(folder, `${index}.png`));
    await Promise.all(layers.map(({ png }, index) => writeFile(files[index] ?? '', png)));
    const inputs = files.flatMap((file) => ['-framerate', String(FRAMES_PER_SECOND), '-i', `file:${file}`]);
    const target = path.join(folder, 'clip.mp4');
    const encoding =
      '-an -c:v libx264 -preset superfast -crf 24 -pix_fmt yuv420p -map_metadata -1 -movflags +faststart -f mp4';
    await makeClip([
      ...inputs,
      '-filter_complex',
      filters(layers, width, height),
      '-map',
      '[out]',
      '-t',
      String(CLIP_SECONDS),
      ...encoding.split(' '),
      target,
    ]);
    return await readFile(target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each picture is decoded once and shown over and over. */
function filters(layers: readonly ClipLayer[], width: number, height: number): string {
  const stills = layers.map((_, index) => `[${index}:v]format=yuva420p,loop=loop=-1:size=1:start=0[still${index}]`);
  const empty = `color=c=black:s=${width}x${height}:r=${FRAMES_PER_SECOND}[over0]`;
  const overlays = layers.map(({ x = '0', y = '0', shown }, index) => {
    const when = shown === undefined ? '' : `:enable='${shown}'`;
    const name = index === layers.length - 1 ? '[out]' : `[over${index + 1}]`;
    return `[over${index}][still${index}]overlay=x='${x}':y='${y}':format=yuv420${when}${name}`;
  });
  return [empty, ...stills, ...overlays].join(';');
}

const SETTINGS = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-threads', '2'];

/** @throws Error with the end of what ffmpeg said */
async function makeClip(args: readonly string[]): Promise<void> {
  const { ok, said } = await startFfmpeg([...SETTINGS, ...args], CLIP_MS_MAX);
  if (!ok) throw new Error(`ffmpeg could not make the clip: ${said.slice(-SAID_CHARACTERS_MAX)}`);
}
