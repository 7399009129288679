import type { FileKind } from '../stored-file.js';
import type { PreparedMedia } from './prepared-media.js';

/** What the process that reads members' files is asked. Paths are ours. */
export interface MediaJob {
  readonly original: string;
  /** The folder in which it works, and where the results are. */
  readonly folder: string;
  readonly kinds: readonly FileKind[];
  readonly bytesMax: number;
  /** Path of ffmpeg, where there is one. */
  readonly ffmpeg: string | null;
  /** A picture of a video that its sender's browser made. */
  readonly poster: string | null;
}

/** Where it answers, with one line. */
export const ANSWER_FD = 3;

/** What it answers. */
export type MediaOutcome =
  | { readonly is: 'prepared'; readonly media: PreparedMedia }
  | { readonly is: 'refused'; readonly statusCode: 413 | 415; readonly code: string; readonly message: string }
  /** The server's fault, not the file's. */
  | { readonly is: 'failed'; readonly message: string };
