import type { UploadUsage } from './upload-limits.js';
import type { StoredFile } from './stored-file.js';

/** The purpose of an upload decides how large it may be and what it may hold. */
export type UploadPurpose = 'content' | 'profile-image' | 'thumbnail' | 'admin-content';

export interface UploadTicket {
  /** The address to which the file is PUT, once: signed, and bound to the member and the size. */
  readonly uploadURL: string;
  /** The address that the call takes which registers the file: `/objects/uploads/{id}`. */
  readonly mediaUrl: string;
  /**
   * The address to which the sender's browser may PUT a picture of the video before the file is used; null if this
   * server takes one itself.
   */
  readonly posterURL: string | null;
  readonly expiresAt: string;
}

export interface IssueUpload {
  readonly memberId: string;
  readonly purpose: UploadPurpose;
  /** In bytes, if the client names a size: then no other size is taken. */
  readonly size?: number | undefined;
}

export interface ClaimUpload {
  readonly memberId: string;
  /** The path of a ticket, or its absolute form. */
  readonly mediaUrl: string;
  readonly purpose: UploadPurpose;
}

export interface StoreBytes {
  readonly memberId: string;
  readonly bytes: Buffer;
  readonly purpose: UploadPurpose;
}

/** Files that members upload: tickets to send them, and the stored files. The type is decided from the content. */
export abstract class Uploads {
  /** @throws AppError 413 larger than the purpose allows */
  abstract issue(request: IssueUpload): Promise<UploadTicket>;

  /**
   * Takes an uploaded file into use: its type is decided from its content, metadata is removed, a thumbnail made. A
   * second claim has no further effect.
   * @throws AppError 400, 404 no such upload of this member, 409 nothing was sent yet, 413, 415
   */
  abstract claim(request: ClaimUpload): Promise<StoredFile>;

  /** Stores an image that came in the request itself. @throws AppError 413, 415 */
  abstract storeImage(image: StoreBytes): Promise<StoredFile>;

  /** Stores an image or a video, whichever the purpose allows. @throws AppError 413, 415 */
  abstract store(file: StoreBytes): Promise<StoredFile>;

  /** Files and bytes that count towards members' quotas; members without files are absent. */
  abstract usageOf(memberIds: readonly string[]): Promise<ReadonlyMap<string, UploadUsage>>;

  /** Removes a file and its thumbnail, if there is one. */
  abstract remove(fileId: string): Promise<void>;
}

export type { StoredFile };
