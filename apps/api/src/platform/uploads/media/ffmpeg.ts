import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { AppError } from '../../errors/app-error.js';

const PICTURE_PX_MAX = 8192 * 4320;
/** For one piece: a picture of that size, or an index of some twenty million frames. */
const MEMORY_BYTES_MAX = 536_870_912;
const SETTINGS =
  '-nostdin -hide_banner -loglevel info -nostats -y -threads 2 ' +
  `-protocol_whitelist file -max_pixels ${PICTURE_PX_MAX} -max_alloc ${MEMORY_BYTES_MAX}`;
/** For what browsers play, and for the sound that cameras record: ffmpeg has hundreds more, for which nobody has a use here. */
const DECODERS =
  'h264,hevc,vp8,vp9,av1,libaom-av1,libdav1d,' +
  'aac,mp3float,mp3,opus,libopus,vorbis,flac,alac,ac3,eac3,amrnb,amrwb,adpcm_ima_qt,pcm_alaw,pcm_mulaw,pcm_u8,' +
  'pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be';
const SAID_CHARACTERS_MAX = 64_000;

export interface FfmpegRun {
  /** Exit status zero. */
  readonly ok: boolean;
  /** What it said about its input, cut after a while. */
  readonly said: string;
}

export interface FfmpegInput {
  readonly file: string;
  /** Decided from the content: ffmpeg is not let guess, as some of its formats read other files and addresses. */
  readonly demuxer: 'mov' | 'matroska';
}

/**
 * Runs ffmpeg on one local file: no network, no questions, few decoders, an end after `timeoutMs`, and no more memory for a
 * picture than 8K video takes.
 */
export function runFfmpeg(input: FfmpegInput, output: readonly string[], timeoutMs: number): Promise<FfmpegRun> {
  const from = ['-codec_whitelist', DECODERS, '-f', input.demuxer, '-i', `file:${input.file}`];
  return startFfmpeg([...SETTINGS.split(' '), ...from, ...output], timeoutMs);
}

/**
 * Runs ffmpeg with arguments of our own making alone: nothing of a member's.
 * @throws AppError 503 `VIDEOS_UNAVAILABLE`
 */
export function startFfmpeg(args: readonly string[], timeoutMs: number): Promise<FfmpegRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(ffmpegProgram(), args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < SAID_CHARACTERS_MAX) said += text;
    });
    child.once('error', (error) => reject(unavailable(error)));
    child.once('close', (code) => resolve({ ok: code === 0, said }));
  });
}

/**
 * Looked for when it is needed: where the package has no binary for this machine, pictures work all the same.
 * @throws AppError 503 `VIDEOS_UNAVAILABLE`
 */
function ffmpegProgram(): string {
  try {
    const found = createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { readonly path: string };
    return found.path;
  } catch (error) {
    throw unavailable(error);
  }
}

const unavailable = (cause: unknown): AppError =>
  new AppError(503, 'VIDEOS_UNAVAILABLE', 'Videos cannot be taken on this server at the moment.', {
    retryAfterSeconds: 60,
    cause,
  });
