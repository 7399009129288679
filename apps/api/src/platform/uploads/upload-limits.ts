import { AppError } from '../errors/app-error.js';
import type { FileKind } from './stored-file.js';
import type { UploadPurpose } from './uploads.js';

const MB = 1_048_576;
const MINUTE_MS = 60_000;

export interface PurposeLimits {
  /** Of the file that is sent, and of a video that is written anew of it. */
  readonly bytesMax: number;
  readonly kinds: readonly FileKind[];
}

/** S1 §5 and §9, Profile and content; the admin's as its own screen says (S1 §2.6). */
export const PURPOSE_LIMITS: Readonly<Record<UploadPurpose, PurposeLimits>> = {
  content: { bytesMax: 50 * MB, kinds: ['image', 'video'] },
  'profile-image': { bytesMax: 10 * MB, kinds: ['image'] },
  thumbnail: { bytesMax: 10 * MB, kinds: ['image'] },
  'admin-content': { bytesMax: 100 * MB, kinds: ['image', 'video'] },
};

/** How long a ticket can be used. A transfer that began in time may end later, by this much at most. */
export const TICKET_MS = 15 * MINUTE_MS;
export const TRANSFER_MS_MAX = 30 * MINUTE_MS;
/** A file that nothing refers to is kept so long. */
export const UNCLAIMED_MS_MAX = 24 * 60 * MINUTE_MS;
/** Files of one member that nothing refers to yet; the oldest makes room. */
export const UNCLAIMED_MAX = 20;

/** Beyond it an image would take more memory to decode than any screen has use for. */
export const SIDE_PX_MAX = 8192;
/** All frames of a moving picture together. */
export const FRAMES_PX_MAX = SIDE_PX_MAX * SIDE_PX_MAX;
export const THUMBNAIL_PX = 640;

export const uploadNotFound = (): AppError => new AppError(404, 'UPLOAD_NOT_FOUND', 'This upload was not found.');

export const fileTooLarge = (bytesMax: number): AppError =>
  new AppError(413, 'FILE_TOO_LARGE', `This file is too large: it may have ${bytesMax / MB} MB at most.`);

/** The size is part of what a ticket was made for. */
export const sizeDiffers = (status: 400 | 413): AppError =>
  new AppError(status, 'SIZE_DIFFERS', 'The file has another size than the one this address was made for.');

export const unsupportedFile = (kinds: readonly FileKind[]): AppError =>
  kinds.includes('video')
    ? new AppError(
        415,
        'UNSUPPORTED_FILE',
        'This file cannot be used: send an image (JPEG, PNG, WebP, GIF or AVIF) or a video (MP4, MOV or WebM).',
      )
    : new AppError(415, 'UNSUPPORTED_FILE', 'This file cannot be used: send an image (JPEG, PNG, WebP, GIF or AVIF).');
