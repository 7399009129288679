import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { PictureSize } from '@app/domain';
import { Injectable } from '@nestjs/common';
import { AppError, notFound } from '../errors/app-error.js';
import { FairTurns } from '../fair-turns.js';
import { fileKey, FileStore, smallKey, thumbnailKey } from './files/file-store.js';
import { Scratch } from './files/scratch.js';
import { THUMBNAIL_TYPE } from './media/prepared-media.js';
import { UploadRows } from './upload-rows.js';

/** How many are made at once, and how many may wait: for one address, and in all. */
const AT_ONCE_MAX = 2;
const WAITING_OF_ADDRESS_MAX = 100;
const WAITING_MAX = 500;

/** Pixels of the shorter side. They are made from the thumbnail. */
const SHORTER_PX = { small: 192, medium: 320 } as const;
/** Pixels of the longer side. It is made from the file. */
const LARGE_PX = 1_280;

/** Pictures in the sizes that avatars, cards and posts show. Each is made when it is first asked for, and kept. */
@Injectable()
export class SmallPictures {
  private readonly making = new Map<string, Promise<number>>();
  private readonly turns = new FairTurns({
    atOnceMax: AT_ONCE_MAX,
    waitingOfOneMax: WAITING_OF_ADDRESS_MAX,
    waitingMax: WAITING_MAX,
    busy,
    tooManyOfOne: busy,
  });

  constructor(
    private readonly rows: UploadRows,
    private readonly files: FileStore,
    private readonly scratch: Scratch,
  ) {}

  /**
   * Makes sure that there is this picture of an upload with a thumbnail, for `large` of a picture, and returns its bytes.
   * @throws AppError 404 the upload was removed in the meantime, 503 too many are being made
   */
  async bytesOf(id: string, size: PictureSize, askedFrom: string): Promise<number> {
    const key = smallKey(id, size);
    const running = this.making.get(key);
    if (running) return running;
    const bytes = await this.files.sizeOf(key);
    if (bytes !== undefined) return bytes;
    const making =
      this.making.get(key) ??
      this.turns.take([askedFrom], () => this.make(id, size)).finally(() => this.making.delete(key));
    this.making.set(key, making);
    return making;
  }

  private async make(id: string, size: PictureSize): Promise<number> {
    const key = smallKey(id, size);
    // Loaded here: processes that show no pictures do without its native code.
    const { writeLargePicture, writeSmallPicture } = await import('./media/open-image.js');
    const bytes = await this.scratch.use(async (folder) => {
      const target = path.join(folder, size);
      if (size === 'large') await writeLargePicture(await this.files.localFile(fileKey(id), folder), target, LARGE_PX);
      else await writeSmallPicture(await this.files.localFile(thumbnailKey(id), folder), target, SHORTER_PX[size]);
      const made = await stat(target);
      await this.files.put(key, target, THUMBNAIL_TYPE);
      return made.size;
    });
    if (await this.rows.find(id)) return bytes;
    // Erased meanwhile: nothing of it may stay.
    await this.files.remove(key);
    throw notFound('This file');
  }
}

const busy = (): AppError =>
  new AppError(503, 'PICTURES_BUSY', 'Many pictures are being made right now. Please try again in a moment.', {
    retryAfterSeconds: 2,
  });
