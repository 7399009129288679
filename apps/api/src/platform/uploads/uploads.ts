import type { UploadUsage } from './upload-limits.js';
import type { StoredFile } from './stored-file.js';

/** What an upload is for: it decides how large it may be and what it may hold. */
export type UploadPurpose = 'content' | 'profile-image' | 'thumbnail' | 'admin-content';

export interface UploadTicket {
  /** Where the file is PUT, once: signed, bound to the member and the size. */
  readonly uploadURL: string;
  /** What the call that registers the file takes: `/objects/uploads/{id}`. */
  readonly mediaUrl: string;
  /** Where the sender's browser may PUT a picture of the video before the file is used; null: this server takes one itself. */
  readonly posterURL: string | null;
  readonly expiresAt: string;
}

export interface IssueUpload {
  readonly memberId: string;
  readonly purpose: UploadPurpose;
  /** Bytes, where the client says so: no other size is taken then. */
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

/** Files that members bring: tickets to send them, and what came of it. The type is decided from the content. */
export abstract class Uploads {
  /** @throws AppError 413 larger than the purpose allows */
  abstract issue(request: IssueUpload): Promise<UploadTicket>;

  /**
   * Takes an uploaded file into use: its type is decided from its content, metadata is removed, a thumbnail made. Twice is once.
   * @throws AppError 400, 404 no such upload of this member, 409 nothing was sent yet, 413, 415
   */
  abstract claim(request: ClaimUpload): Promise<StoredFile>;

  /** Stores an image that came with the request itself. @throws AppError 413, 415 */
  abstract storeImage(image: StoreBytes): Promise<StoredFile>;

  /** Stores an image or a video, whichever the purpose allows. @throws AppError 413, 415 */
  abstract store(file: StoreBytes): Promise<StoredFile>;

  /** Files and bytes that count towards members' quotas; members without files are absent. */
  abstract usageOf(memberIds: readonly string[]): Promise<ReadonlyMap<string, UploadUsage>>;

  /** Removes a file and its thumbnail; nothing happens where there is none. */
  abstract remove(fileId: string): Promise<void>;
}

export type { StoredFile };
