import { UPLOAD_BYTES_MAX } from '@app/domain';
import { AppError } from '../errors/app-error.js';
import { notUsable, type RefusedFile, tooLarge } from './media/refused-file.js';
import type { FileKind } from './stored-file.js';
import type { UploadPurpose } from './uploads.js';

const MB = 1_048_576;
const MINUTE_MS = 60_000;

export interface PurposeLimits {
  /** Of the file that is sent, and of a video that is written anew of it. */
  readonly bytesMax: number;
  readonly kinds: readonly FileKind[];
}

/** How large, and of which kinds (rule uploads-3). */
export const PURPOSE_LIMITS: Readonly<Record<UploadPurpose, PurposeLimits>> = {
  content: { bytesMax: UPLOAD_BYTES_MAX.content, kinds: ['image', 'video'] },
  'profile-image': { bytesMax: UPLOAD_BYTES_MAX['profile-image'], kinds: ['image'] },
  thumbnail: { bytesMax: 10 * MB, kinds: ['image'] },
  'admin-content': { bytesMax: UPLOAD_BYTES_MAX['admin-content'], kinds: ['image', 'video'] },
};

/** Of a picture that a browser makes of a video. */
export const POSTER_BYTES_MAX = MB;

/** How long a ticket can be used. A transfer that began in time may end later, by this much at most. */
export const TICKET_MS = 15 * MINUTE_MS;
export const TRANSFER_MS_MAX = 30 * MINUTE_MS;
/** A file that nothing refers to is kept so long. */
export const UNCLAIMED_MS_MAX = 24 * 60 * MINUTE_MS;
/** Files of one member that nothing refers to yet; the oldest makes room. */
export const UNCLAIMED_MAX = 20;

/** What a member may keep. */
export interface UploadQuota {
  readonly bytesMax: number;
  readonly filesMax: number;
}

/** Files and bytes that count towards a member's quota. */
export interface UploadUsage {
  readonly files: number;
  readonly bytes: number;
}

/** @throws AppError 413 where one more file of this size is beyond the quota */
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

/** The size is part of what a ticket was made for. */
export const sizeDiffers = (status: 400 | 413): AppError =>
  new AppError(status, 'SIZE_DIFFERS', 'The file does not have the size that this address was made for.');

export const unsupportedFile = (kinds: readonly FileKind[]): AppError => asAppError(notUsable(kinds));

export const asAppError = ({
  statusCode,
  code,
  message,
}: Pick<RefusedFile, 'statusCode' | 'code' | 'message'>): AppError => new AppError(statusCode, code, message);
