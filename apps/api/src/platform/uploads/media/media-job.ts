import type { ErrorCode } from '../../errors/error-codes.js';
import type { FileKind } from '../stored-file.js';
import type { PreparedMedia } from './prepared-media.js';

/** A job for the process that reads members' files. All paths are ours. */
export interface MediaJob {
  readonly original: string;
  /** The folder in which it works and leaves its results. */
  readonly folder: string;
  readonly kinds: readonly FileKind[];
  readonly bytesMax: number;
  /** The path of ffmpeg; null if there is none. */
  readonly ffmpeg: string | null;
  /** A picture of a video that its sender's browser made. */
  readonly poster: string | null;
}

/** The file descriptor on which it answers with one line. */
export const ANSWER_FD = 3;

/** Its answer. */
export type MediaOutcome =
  | { readonly is: 'prepared'; readonly media: PreparedMedia }
  | { readonly is: 'refused'; readonly statusCode: 413 | 415; readonly code: ErrorCode; readonly message: string }
  /** The server's fault, not the file's. */
  | { readonly is: 'failed'; readonly message: string };
