import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { AppError } from '../../errors/app-error.js';
import { fileTooLarge } from '../upload-limits.js';
import { type FfmpegInput, runFfmpeg } from './ffmpeg.js';
import { writeThumbnail } from './image.js';
import type { PreparedMedia } from './prepared-media.js';

const POSTER_MS_MAX = 30_000;
const REMUX_MS_MAX = 90_000;
/** What is written anew may come out somewhat larger than it was sent. */
const GROWTH_MAX = 1.1;
/** The first frame of many clips is black. */
const POSTER_AT_SECONDS = '0.8';

interface Container {
  readonly demuxer: FfmpegInput['demuxer'];
  readonly contentType: string;
  /** Codecs that browsers play in it. */
  readonly video: ReadonlySet<string>;
  readonly audio: ReadonlySet<string>;
  /** For sound in anything else. */
  readonly audioEncoder: readonly string[];
  readonly output: readonly string[];
}

const CONTAINERS: Readonly<Record<'mp4' | 'webm', Container>> = {
  mp4: {
    demuxer: 'mov',
    contentType: 'video/mp4',
    video: new Set(['h264', 'hevc', 'av1', 'vp9']),
    audio: new Set(['aac', 'mp3', 'opus']),
    audioEncoder: ['aac', '-b:a', '128k'],
    output: ['-movflags', '+faststart', '-f', 'mp4'],
  },
  webm: {
    demuxer: 'matroska',
    contentType: 'video/webm',
    video: new Set(['vp8', 'vp9', 'av1']),
    audio: new Set(['opus', 'vorbis']),
    audioEncoder: ['libopus', '-b:a', '96k'],
    output: ['-f', 'webm'],
  },
};

/**
 * Takes the picture and the sound of a video into a new file: no metadata (position, camera), no other streams; its index first,
 * so that playing begins at once. A frame becomes the thumbnail.
 * @throws AppError 413 it would become much larger than `bytesMax`, 415 it is damaged, has no picture, or a picture that browsers do
 * not play
 */
export async function prepareVideo(
  original: string,
  format: 'mp4' | 'webm',
  { folder, bytesMax }: { readonly folder: string; readonly bytesMax: number },
): Promise<PreparedMedia> {
  const container = CONTAINERS[format];
  const input = { file: original, demuxer: container.demuxer };
  const poster = path.join(folder, 'poster.png');
  const said = await writePoster(input, poster);
  const codec = codecIn(said, 'Video');
  if (codec !== undefined && !container.video.has(codec)) {
    throw refusal('The picture of this video is in a format that browsers do not play: use H.264, VP9 or AV1.');
  }
  if (codec === undefined || !(await hasBytes(poster))) {
    throw refusal('This video cannot be read: it is damaged, or not what its name says. Send an MP4, MOV or WebM.');
  }
  const file = path.join(folder, 'file');
  await remux({ input, container, audio: codecIn(said, 'Audio') }, file, bytesMax);
  const { width, height } = await sharp(poster).metadata();
  const thumbnail = path.join(folder, 'thumbnail');
  await writeThumbnail(poster, thumbnail);
  return { kind: 'video', contentType: container.contentType, width, height, file, thumbnail };
}

/** Answers what ffmpeg says about the file; there is no poster where it found no frame. */
async function writePoster(input: FfmpegInput, poster: string): Promise<string> {
  const frame = ['-map', '0:V:0', '-frames:v', '1', '-c:v', 'png', '-f', 'image2', poster];
  const { said } = await runFfmpeg(input, ['-ss', POSTER_AT_SECONDS, ...frame], POSTER_MS_MAX);
  if (await hasBytes(poster)) return said;
  await rm(poster, { force: true });
  return (await runFfmpeg(input, frame, POSTER_MS_MAX)).said;
}

interface Source {
  readonly input: FfmpegInput;
  readonly container: Container;
  /** The codec of its sound, if it has any. */
  readonly audio: string | undefined;
}

async function remux({ input, container, audio }: Source, file: string, bytesMax: number): Promise<void> {
  const sound = audio === undefined || container.audio.has(audio) ? ['copy'] : container.audioEncoder;
  const streams = ['-map', '0:V:0', '-map', '0:a:0?', '-c:v', 'copy', '-c:a', ...sound];
  const withoutMetadata = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'];
  // An index may name the same bytes any number of times. It ends orderly when there are so many.
  const writtenMax = Math.ceil(bytesMax * GROWTH_MAX);
  const limit = ['-fs', String(writtenMax + 1)];
  const output = [...streams, ...withoutMetadata, ...container.output, ...limit, file];
  const { ok } = await runFfmpeg(input, output, REMUX_MS_MAX);
  const bytes = await sizeOf(file);
  if (bytes > writtenMax) throw fileTooLarge(bytesMax);
  if (ok && bytes > 0) return;
  throw refusal('This video cannot be read to its end: it is damaged. Send an MP4, MOV or WebM.');
}

/** The codec of the first stream of a kind. */
const codecIn = (said: string, kind: 'Video' | 'Audio'): string | undefined =>
  new RegExp(`^ *Stream #0:\\d+[^\\n]*?: ${kind}: (\\w+)`, 'm').exec(said)?.[1];

/** 0 where there is none. */
const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

const hasBytes = async (file: string): Promise<boolean> => (await sizeOf(file)) > 0;

const refusal = (message: string): AppError => new AppError(415, 'UNSUPPORTED_FILE', message);
