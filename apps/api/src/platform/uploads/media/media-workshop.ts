import { execFile, spawn, type ExecFileException } from 'node:child_process';
import { promisify } from 'node:util';
import { Logger, type OnModuleInit } from '@nestjs/common';
import { AppError } from '../../errors/app-error.js';
import { ConfigError } from '../../config.js';
import { asAppError } from '../upload-limits.js';
import { MEDIA_CHILD } from './child-entry.js';
import { limited } from './limited-process.js';
import { ANSWER_FD, type MediaJob, type MediaOutcome } from './media-job.js';
import type { PreparedMedia } from './prepared-media.js';

/** For all work on one file together. */
const SECONDS_MAX = 240;
/** For JavaScript objects; pictures lie outside this heap. */
const HEAP_MB_MAX = 256;
const MEMORY_BYTES_MAX = 2_147_483_648;
const NICENESS = '5';
const VERSION_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 16_384;
const SAID_CHARACTERS_MAX = 16_000;

/**
 * Starts a process for each file of a member: without the environment and its secrets, within limits of memory and
 * time, and in a folder of its own. Whatever a file does to such a process ends with the process.
 */
export class MediaWorkshop implements OnModuleInit {
  private readonly logger = new Logger(MediaWorkshop.name);

  constructor(
    private readonly ffmpeg: string | undefined,
    private readonly versionMsMax = VERSION_MS_MAX,
  ) {}

  /** Logs the version of ffmpeg, so that operators see how old it is. A slow disk keeps no server from starting. */
  async onModuleInit(): Promise<void> {
    if (this.ffmpeg === undefined) return;
    let said: string;
    try {
      said = (await promisify(execFile)(this.ffmpeg, ['-version'], { env: {}, timeout: this.versionMsMax })).stdout;
    } catch (error) {
      if (!(error as ExecFileException).killed) throw error;
      this.logger.warn(`"${this.ffmpeg}" did not say its version within ${this.versionMsMax} ms`);
      return;
    }
    const version = said.split('\n', 1)[0]?.slice(0, 200);
    if (!version?.startsWith('ffmpeg version')) {
      throw new ConfigError(`FFMPEG_PATH must be ffmpeg, but "${this.ffmpeg}" says that it is something else.`);
    }
    this.logger.log(`${version} takes pictures of videos`);
  }

  /** Whether this server can take pictures of videos. */
  get hasFfmpeg(): boolean {
    return this.ffmpeg !== undefined;
  }

  /**
   * Writes the files that may be served into the job's folder.
   * @throws AppError 413 too many pixels, or a video too large, 415 it cannot be read, or is none of the kinds
   */
  async prepare(job: Omit<MediaJob, 'ffmpeg'>): Promise<PreparedMedia> {
    const { answer, said } = await this.ask({ ...job, ffmpeg: this.ffmpeg ?? null });
    const outcome = readOutcome(answer);
    switch (outcome?.is) {
      case 'prepared':
        return outcome.media;
      case 'refused':
        throw asAppError(outcome);
      case 'failed':
        throw new Error(`a file could not be prepared: ${outcome.message}`);
      case undefined:
        // The process was killed, by a limit or by what the file did to it.
        this.logger.warn({ said: said.slice(-SAID_CHARACTERS_MAX / 8) }, 'a file ended the process that read it');
        throw new AppError(
          415,
          'UNSUPPORTED_FILE',
          'This file cannot be read. It is damaged or needs too much work. Send a smaller or shorter one.',
        );
    }
  }

  private ask(job: MediaJob): Promise<{ readonly answer: string; readonly said: string }> {
    const node = [`--max-old-space-size=${HEAP_MB_MAX}`, '--no-warnings', ...MEDIA_CHILD];
    // The process, and those that it starts, yield to requests and to the database.
    const { command, args } = limited('nice', ['-n', NICENESS, process.execPath, ...node], {
      memoryBytes: MEMORY_BYTES_MAX,
      cpuSeconds: SECONDS_MAX,
    });
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: job.folder,
        env: { TMPDIR: job.folder, UV_THREADPOOL_SIZE: '2' },
        stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
        // A process group of its own: the processes that it started end with it.
        detached: true,
      });
      const end = (): void => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        } catch {
          // The whole group has ended already.
        }
      };
      const deadline = setTimeout(end, SECONDS_MAX * 1_000);
      let answer = Buffer.alloc(0);
      let said = '';
      child.stdio[ANSWER_FD]?.on('data', (bytes: Buffer) => {
        if (answer.length < ANSWER_BYTES_MAX) answer = Buffer.concat([answer, bytes]);
      });
      for (const words of [child.stdout, child.stderr]) {
        words.setEncoding('utf8').on('data', (text: string) => {
          if (said.length < SAID_CHARACTERS_MAX) said += text;
        });
      }
      // A process that is killed at once does not read its job.
      child.stdin.on('error', () => undefined);
      child.stdin.write(`${JSON.stringify(job)}\n`);
      child.once('error', (error) => {
        clearTimeout(deadline);
        reject(error);
      });
      child.once('close', () => {
        clearTimeout(deadline);
        end();
        resolve({ answer: answer.toString(), said });
      });
    });
  }
}

/** Undefined if the process ended before it answered. */
function readOutcome(answer: string): MediaOutcome | undefined {
  if (!answer.endsWith('\n')) return undefined;
  // Our own process wrote it.
  return JSON.parse(answer) as MediaOutcome;
}
