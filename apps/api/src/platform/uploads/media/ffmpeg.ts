import { spawn } from 'node:child_process';
import { limited } from './limited-process.js';

const PICTURE_PX_MAX = 8192 * 4320;
/** The most memory for one allocation: a picture of that size, or an index of some twenty million frames. */
const PIECE_BYTES_MAX = 536_870_912;
const MEMORY_BYTES_MAX = 1_610_612_736;
const SETTINGS =
  '-nostdin -hide_banner -loglevel error -nostats -y -threads 2 -filter_threads 1 ' +
  `-protocol_whitelist file -max_pixels ${PICTURE_PX_MAX} -max_alloc ${PIECE_BYTES_MAX}`;
/**
 * The decoders for what browsers play and for the sound that cameras record. ffmpeg has hundreds more that nobody needs
 * here.
 */
const DECODERS =
  'h264,hevc,vp8,vp9,av1,libaom-av1,libdav1d,gif,apng,' +
  'aac,mp3float,mp3,opus,libopus,vorbis,flac,alac,ac3,eac3,amrnb,amrwb,adpcm_ima_qt,pcm_alaw,pcm_mulaw,pcm_u8,' +
  'pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be';
const SAID_CHARACTERS_MAX = 4_000;

export interface FfmpegInput {
  readonly file: string;
  /** Decided from the content. ffmpeg may not guess, because some of its formats read other files and addresses. */
  readonly demuxer: 'mov' | 'matroska' | 'gif' | 'apng';
}

/** An ffmpeg of the installation. */
export class Ffmpeg {
  constructor(private readonly program: string) {}

  /**
   * Runs ffmpeg on one local file: without the environment or a network, with few decoders, for `seconds` at most, and
   * with no more memory for a picture than 8K video takes.
   * @returns whether it succeeded
   */
  run(input: FfmpegInput, output: readonly string[], { seconds, folder }: FfmpegLimits): Promise<boolean> {
    const from = ['-codec_whitelist', DECODERS, '-f', input.demuxer, '-i', `file:${input.file}`];
    const { command, args } = limited(this.program, [...SETTINGS.split(' '), ...from, ...output], {
      memoryBytes: MEMORY_BYTES_MAX,
      // For two threads, and some more for the rest.
      cpuSeconds: seconds * 3,
    });
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: folder,
        env: {},
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: seconds * 1_000,
        killSignal: 'SIGKILL',
      });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (said.length < SAID_CHARACTERS_MAX) said += text;
      });
      child.once('error', reject);
      child.once('close', (code) => {
        if (/No space left on device/.test(said)) reject(new Error(`ENOSPC: ${said}`));
        else resolve(code === 0);
      });
    });
  }
}

interface FfmpegLimits {
  readonly seconds: number;
  /** Where it runs. */
  readonly folder: string;
}
