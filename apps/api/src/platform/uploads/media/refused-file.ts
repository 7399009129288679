import type { ErrorCode } from '../../errors/error-codes.js';
import type { FileKind } from '../stored-file.js';

const MB = 1_048_576;

export const IMAGE_TYPES = 'JPEG, PNG, WebP, GIF, AVIF or HEIC';

/**
 * The file is refused, with a sentence for its sender. The process that reads files knows nothing else of the product.
 */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';

  constructor(
    readonly statusCode: 413 | 415,
    readonly code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

export const unreadable = (message: string, cause?: unknown): RefusedFile =>
  new RefusedFile(415, 'UNSUPPORTED_FILE', message, { cause });

export const tooLarge = (bytesMax: number): RefusedFile =>
  new RefusedFile(413, 'FILE_TOO_LARGE', `This file is too large. At most ${bytesMax / MB} MB are allowed.`);

export const notUsable = (kinds: readonly FileKind[]): RefusedFile =>
  unreadable(
    kinds.includes('video')
      ? `This file cannot be used: send an image (${IMAGE_TYPES}) or a video (MP4, MOV or WebM).`
      : `This file cannot be used: send an image (${IMAGE_TYPES}).`,
  );
