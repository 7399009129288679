import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../errors/app-error.js';
import { Turns } from '../turns.js';
import { fileKey, FileStore, originalKey, thumbnailKey } from './files/file-store.js';
import { Scratch } from './files/scratch.js';
import { prepareMedia } from './media/prepare-media.js';
import { THUMBNAIL_TYPE } from './media/prepared-media.js';
import { mediaUrl, parseMediaUrl } from './media-url.js';
import {
  fileTooLarge,
  PURPOSE_LIMITS,
  type PurposeLimits,
  sizeDiffers,
  TICKET_MS,
  uploadNotFound,
} from './upload-limits.js';
import { type UploadRow, UploadRows } from './upload-rows.js';
import type { ClaimUpload, IssueUpload, StoreBytes, StoredFile, UploadPurpose, UploadTicket } from './uploads.js';
import { Uploads } from './uploads.js';

/** `Uploads` on a table of what came, and a store of files. */
@Injectable()
export class MemberUploads extends Uploads {
  /** Decoding takes a processor and much memory for its time. */
  private readonly turns = new Turns({
    atOnceMax: 2,
    waitingMax: 50,
    busy: () =>
      new AppError(503, 'UPLOADS_BUSY', 'Many files are being prepared right now. Please try again in a moment.', {
        retryAfterSeconds: 5,
      }),
  });
  /** Claims under way in this process: a second one of the same file waits for the first. */
  private readonly claims = new Map<string, Promise<StoredFile>>();

  constructor(
    private readonly rows: UploadRows,
    private readonly files: FileStore,
    private readonly scratch: Scratch,
  ) {
    super();
  }

  async issue({ memberId, purpose, size }: IssueUpload): Promise<UploadTicket> {
    const { bytesMax } = PURPOSE_LIMITS[purpose];
    if (size !== undefined && size > bytesMax) throw fileTooLarge(bytesMax);
    const upload = { id: uuidv7(), memberId, size: size ?? null, expires: Date.now() + TICKET_MS };
    const expiresAt = new Date(upload.expires);
    await this.rows.add({ id: upload.id, memberId, purpose, bytesExpected: upload.size, expiresAt });
    for (const id of await this.rows.beyondUnclaimedLimit(memberId)) await this.remove(id);
    return {
      uploadURL: await this.files.uploadUrl(upload),
      mediaUrl: mediaUrl(upload.id),
      expiresAt: expiresAt.toISOString(),
    };
  }

  async claim(request: ClaimUpload): Promise<StoredFile> {
    const id = parseMediaUrl(request.mediaUrl);
    const row = await this.rows.find(id);
    if (row?.memberId !== request.memberId) throw uploadNotFound();
    const file = row.file ?? (await this.claimOnce(row, request.purpose));
    const { kinds } = PURPOSE_LIMITS[request.purpose];
    if (!kinds.includes(file.kind))
      throw new AppError(415, 'UNSUPPORTED_FILE', 'An image is needed here, not a video.');
    return file;
  }

  async storeImage(image: StoreBytes): Promise<StoredFile> {
    return this.storeBytes(image, { ...PURPOSE_LIMITS[image.purpose], kinds: ['image'] });
  }

  async store(file: StoreBytes): Promise<StoredFile> {
    return this.storeBytes(file, PURPOSE_LIMITS[file.purpose]);
  }

  async remove(fileId: string): Promise<void> {
    await Promise.all(
      [originalKey(fileId), fileKey(fileId), thumbnailKey(fileId)].map((key) => this.files.remove(key)),
    );
    await this.rows.remove(fileId);
  }

  private claimOnce(row: UploadRow, purpose: UploadPurpose): Promise<StoredFile> {
    const { id } = row;
    const running = this.claims.get(id);
    if (running) return running;
    const claim = this.takeIntoUse(row, purpose).finally(() => this.claims.delete(id));
    this.claims.set(id, claim);
    return claim;
  }

  private async takeIntoUse({ id, bytesExpected }: UploadRow, purpose: UploadPurpose): Promise<StoredFile> {
    const limits = PURPOSE_LIMITS[purpose];
    const size = await this.files.sizeOf(originalKey(id));
    if (size === undefined) {
      // Another process may have finished just now.
      const done = (await this.rows.find(id))?.file;
      if (done) return done;
      throw new AppError(409, 'NOTHING_UPLOADED', 'The file has not arrived yet: send it first.');
    }
    if (size > limits.bytesMax) throw fileTooLarge(limits.bytesMax);
    if (bytesExpected !== null && size !== bytesExpected) throw sizeDiffers(400);
    try {
      const file = await this.scratch.use(async (folder) =>
        this.keep(id, await this.files.localFile(originalKey(id), folder), { folder, limits }),
      );
      await this.files.remove(originalKey(id));
      return file;
    } catch (error) {
      // Another process may have been faster, and have taken the original away.
      const done = (await this.rows.find(id))?.file;
      if (done) return done;
      throw error;
    }
  }

  private async storeBytes({ memberId, bytes, purpose }: StoreBytes, limits: PurposeLimits): Promise<StoredFile> {
    if (bytes.length > limits.bytesMax) throw fileTooLarge(limits.bytesMax);
    const id = uuidv7();
    const expiresAt = new Date();
    await this.rows.add({ id, memberId, purpose, bytesExpected: bytes.length, expiresAt });
    try {
      return await this.scratch.use(async (folder) => {
        const original = path.join(folder, 'original');
        await writeFile(original, bytes);
        return this.keep(id, original, { folder, limits });
      });
    } catch (error) {
      await this.remove(id);
      throw error;
    }
  }

  /** The files first, the row that shows them last. */
  private async keep(
    id: string,
    original: string,
    { folder, limits }: { readonly folder: string; readonly limits: PurposeLimits },
  ): Promise<StoredFile> {
    const media = await this.turns.take(() => prepareMedia(original, folder, limits));
    const bytes = (await stat(media.file)).size;
    const thumbnailBytes = (await stat(media.thumbnail)).size;
    await this.files.put(fileKey(id), media.file, media.contentType);
    await this.files.put(thumbnailKey(id), media.thumbnail, THUMBNAIL_TYPE);
    const file = await this.rows.markClaimed(id, { ...media, bytes, thumbnailBytes });
    if (file) return file;
    // Removed in the meantime.
    await this.remove(id);
    throw uploadNotFound();
  }
}
