import { stat, writeFile } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../errors/app-error.js';
import { type Config, InjectConfig } from '../config.js';
import { InjectPool } from '../database/database.module.js';
import { fileKey, FileStore, originalKey, posterKey, SMALL_SIZES, smallKey, thumbnailKey } from './files/file-store.js';
import { Scratch } from './files/scratch.js';
import { FreeSpace } from './free-space.js';
import { MediaWorkshop } from './media/media-workshop.js';
import { mediaTurns, type TurnOf } from './media-turns.js';
import { type PreparedMedia, THUMBNAIL_TYPE } from './media/prepared-media.js';
import { mediaUrl, parseMediaUrl } from './media-url.js';
import {
  checkQuota,
  fileTooLarge,
  PURPOSE_LIMITS,
  type PurposeLimits,
  sizeDiffers,
  TICKET_MS,
  uploadNotFound,
  type UploadUsage,
} from './upload-limits.js';
import { UploadSignatures } from './upload-signature.js';
import { type UploadRow, UploadRows } from './upload-rows.js';
import type { ClaimUpload, IssueUpload, StoreBytes, StoredFile, UploadPurpose, UploadTicket } from './uploads.js';
import { Uploads } from './uploads.js';

/** An upload, its member and its purpose. */
type Owned = Pick<UploadRow, 'id' | 'memberId' | 'purpose'>;

/** `Uploads` on a table of uploads and a store of files. */
@Injectable()
export class MemberUploads extends Uploads {
  private readonly turn: TurnOf;
  /** Claims in progress in this process: a second claim of the same file waits for the first. */
  private readonly claims = new Map<string, Promise<StoredFile>>();

  constructor(
    private readonly rows: UploadRows,
    private readonly files: FileStore,
    private readonly scratch: Scratch,
    private readonly space: FreeSpace,
    private readonly workshop: MediaWorkshop,
    private readonly signatures: UploadSignatures,
    @InjectPool() pool: pg.Pool,
    @InjectConfig() private readonly config: Config,
  ) {
    super();
    this.turn = mediaTurns(pool);
  }

  async issue({ memberId, purpose, size }: IssueUpload): Promise<UploadTicket> {
    const { bytesMax } = PURPOSE_LIMITS[purpose];
    if (size !== undefined && size > bytesMax) throw fileTooLarge(bytesMax);
    const id = uuidv7();
    await this.makeSureOfRoom({ id, memberId, purpose }, size ?? 0);
    const upload = { id, memberId, size: size ?? null, expires: Date.now() + TICKET_MS };
    const expiresAt = new Date(upload.expires);
    await this.rows.add({ id: upload.id, memberId, purpose, bytesExpected: upload.size, expiresAt });
    for (const oldest of await this.rows.beyondUnclaimedLimit(memberId)) await this.remove(oldest);
    return {
      uploadURL: await this.files.uploadUrl(upload),
      mediaUrl: mediaUrl(upload.id),
      posterURL: this.takesPosters(purpose) ? this.signatures.posterAddress(upload) : null,
      expiresAt: expiresAt.toISOString(),
    };
  }

  async claim(request: ClaimUpload): Promise<StoredFile> {
    const id = parseMediaUrl(request.mediaUrl);
    const row = await this.rows.find(id);
    if (row?.memberId !== request.memberId) throw uploadNotFound();
    const file = row.file ?? (await this.claimOnce(row, request.purpose));
    const { kinds } = PURPOSE_LIMITS[request.purpose];
    if (!kinds.includes(file.kind)) throw new AppError(415, 'UNSUPPORTED_FILE', 'This must be an image, not a video.');
    return file;
  }

  async storeImage(image: StoreBytes): Promise<StoredFile> {
    return this.storeBytes(image, { ...PURPOSE_LIMITS[image.purpose], kinds: ['image'] });
  }

  async store(file: StoreBytes): Promise<StoredFile> {
    return this.storeBytes(file, PURPOSE_LIMITS[file.purpose]);
  }

  usageOf(memberIds: readonly string[]): Promise<ReadonlyMap<string, UploadUsage>> {
    return this.rows.usageOf(memberIds);
  }

  async remove(fileId: string): Promise<void> {
    await Promise.all([originalKey, posterKey, fileKey, thumbnailKey].map((keyOf) => this.files.remove(keyOf(fileId))));
    await this.rows.remove(fileId);
    // Made while there is a row.
    await Promise.all(SMALL_SIZES.map((size) => this.files.remove(smallKey(fileId, size))));
  }

  /** Browsers send a picture of a video only if no ffmpeg takes one here. */
  private takesPosters(purpose: UploadPurpose): boolean {
    return !this.workshop.hasFfmpeg && PURPOSE_LIMITS[purpose].kinds.includes('video');
  }

  /** The picture that the sender's browser sent with the video. */
  private async posterOf({ id, purpose }: Owned, folder: string): Promise<string | null> {
    if (!this.takesPosters(purpose) || (await this.files.sizeOf(posterKey(id))) === undefined) return null;
    const content = await this.files.read(posterKey(id), undefined);
    if (!content) return null;
    const poster = path.join(folder, 'sent-poster');
    await pipeline(content, createWriteStream(poster));
    return poster;
  }

  private claimOnce(row: UploadRow, purpose: UploadPurpose): Promise<StoredFile> {
    const { id } = row;
    const running = this.claims.get(id);
    if (running) return running;
    const claim = this.turn(row.memberId, () => this.takeIntoUse(row, purpose)).finally(() => this.claims.delete(id));
    this.claims.set(id, claim);
    return claim;
  }

  private async takeIntoUse(row: UploadRow, purpose: UploadPurpose): Promise<StoredFile> {
    const { id, bytesExpected } = row;
    const limits = PURPOSE_LIMITS[purpose];
    const size = await this.files.sizeOf(originalKey(id));
    if (size === undefined) {
      // Another process may have finished just now.
      const done = (await this.rows.find(id))?.file;
      if (done) return done;
      throw new AppError(409, 'NOTHING_UPLOADED', 'The file has not arrived yet. Send it first.');
    }
    if (size > limits.bytesMax) throw fileTooLarge(limits.bytesMax);
    if (bytesExpected !== null && size !== bytesExpected) throw sizeDiffers(400);
    await this.makeSureOfRoom(row, size);
    try {
      const file = await this.scratch.use(async (folder) =>
        this.prepareAndKeep(row, await this.files.localFile(originalKey(id), folder), { folder, limits }),
      );
      await this.files.remove(originalKey(id));
      await this.files.remove(posterKey(id));
      return file;
    } catch (error) {
      // Another process may have been faster and have removed the original.
      const done = (await this.rows.find(id))?.file;
      if (done) return done;
      throw error;
    }
  }

  private async storeBytes(file: StoreBytes, limits: PurposeLimits): Promise<StoredFile> {
    if (file.bytes.length > limits.bytesMax) throw fileTooLarge(limits.bytesMax);
    return this.turn(file.memberId, () => this.storeInTurn(file, limits));
  }

  private async storeInTurn({ memberId, bytes, purpose }: StoreBytes, limits: PurposeLimits): Promise<StoredFile> {
    const id = uuidv7();
    await this.makeSureOfRoom({ id, memberId, purpose }, bytes.length);
    const expiresAt = new Date();
    await this.rows.add({ id, memberId, purpose, bytesExpected: bytes.length, expiresAt });
    try {
      return await this.scratch.use(async (folder) => {
        const original = path.join(folder, 'original');
        await writeFile(original, bytes);
        return this.prepareAndKeep({ id, memberId, purpose }, original, { folder, limits });
      });
    } catch (error) {
      await this.remove(id);
      throw error;
    }
  }

  /** @throws AppError 413 beyond the member's quota, 503 the disk is short of space */
  private async makeSureOfRoom({ id, memberId, purpose }: Owned, size: number): Promise<void> {
    if (purpose !== 'admin-content') checkQuota(await this.rows.usageBeside(memberId, id), size, this.config.uploads);
    await this.space.need(size);
  }

  private async prepareAndKeep(
    owned: Owned,
    original: string,
    { folder, limits }: { readonly folder: string; readonly limits: PurposeLimits },
  ): Promise<StoredFile> {
    const media = await this.workshop.prepare({
      original,
      folder,
      ...limits,
      poster: await this.posterOf(owned, folder),
    });
    return this.keep(owned, media);
  }

  /** Stores the files first, and last the row that shows them. */
  private async keep(owned: Owned, media: PreparedMedia): Promise<StoredFile> {
    const { id } = owned;
    const bytes = (await stat(media.file)).size;
    const thumbnailBytes = (await stat(media.thumbnail)).size;
    await this.makeSureOfRoom(owned, bytes + thumbnailBytes);
    await this.files.put(fileKey(id), media.file, media.contentType);
    await this.files.put(thumbnailKey(id), media.thumbnail, THUMBNAIL_TYPE);
    const file = await this.rows.markClaimed(id, { ...media, bytes, thumbnailBytes });
    if (file) return file;
    // The upload was removed in the meantime.
    await this.remove(id);
    throw uploadNotFound();
  }
}
