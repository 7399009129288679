import { UPLOAD_BYTES_MAX } from '@app/domain';
import { AppError } from '../errors/app-error.js';
import { notUsable, type RefusedFile, tooLarge } from './media/refused-file.js';
import type { FileKind } from './stored-file.js';
import type { UploadPurpose } from './uploads.js';

const MB = 1_048_576;
const MINUTE_MS = 60_000;

export interface PurposeLimits {
  /** For the file that is sent, and for a video that is rewritten from it. */
  readonly bytesMax: number;
  readonly kinds: readonly FileKind[];
}

/** How large a file may be and of which kinds, by purpose (rule uploads-3). */
export const PURPOSE_LIMITS: Readonly<Record<UploadPurpose, PurposeLimits>> = {
  content: { bytesMax: UPLOAD_BYTES_MAX.content, kinds: ['image', 'video'] },
  'profile-image': { bytesMax: UPLOAD_BYTES_MAX['profile-image'], kinds: ['image'] },
  thumbnail: { bytesMax: 10 * MB, kinds: ['image'] },
  'admin-content': { bytesMax: UPLOAD_BYTES_MAX['admin-content'], kinds: ['image', 'video'] },
};

/** For a picture that a browser makes of a video. */
export const POSTER_BYTES_MAX = MB;

/** How long a ticket can be used. A transfer that began in time may end later, at most by the same time. */
export const TICKET_MS = 15 * MINUTE_MS;
export const TRANSFER_MS_MAX = 30 * MINUTE_MS;
/** How long a file is kept that nothing refers to. */
export const UNCLAIMED_MS_MAX = 24 * 60 * MINUTE_MS;
/** How many files of one member nothing may refer to yet. Beyond that, the oldest is removed. */
export const UNCLAIMED_MAX = 20;

/** How much a member may keep. */
export interface UploadQuota {
  readonly bytesMax: number;
  readonly filesMax: number;
}

/** Files and bytes that count towards a member's quota. */
export interface UploadUsage {
  readonly files: number;
  readonly bytes: number;
}

/** @throws AppError 413 if one more file of this size exceeds the quota */
export function checkQuota(usage: UploadUsage, size: number, { bytesMax, filesMax }: UploadQuota): void {
  if (usage.files >= filesMax) {
    const most = filesMax.toLocaleString('en-US');
    throw overQuota(`You have ${most} files here, the maximum. Delete some to make room.`);
  }
  if (usage.bytes + size > bytesMax) {
    const most = (bytesMax / MB).toLocaleString('en-US');
    throw overQuota(`This file does not fit into your ${most} MB of space. Delete others to make room.`);
  }
}

const overQuota = (message: string): AppError => new AppError(413, 'QUOTA_EXCEEDED', message);

export const uploadNotFound = (): AppError => new AppError(404, 'UPLOAD_NOT_FOUND', 'This upload was not found.');

export const fileTooLarge = (bytesMax: number): AppError => asAppError(tooLarge(bytesMax));

/** A ticket is made for one size. */
export const sizeDiffers = (status: 400 | 413): AppError =>
  new AppError(status, 'SIZE_DIFFERS', 'The file does not have the size that this address was made for.');

export const unsupportedFile = (kinds: readonly FileKind[]): AppError => asAppError(notUsable(kinds));

export const asAppError = ({
  statusCode,
  code,
  message,
}: Pick<RefusedFile, 'statusCode' | 'code' | 'message'>): AppError => new AppError(statusCode, code, message);
