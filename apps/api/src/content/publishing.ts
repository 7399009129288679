import { Injectable } from '@nestjs/common';
import type { ContentSurface } from '@app/domain';
import { AccountErasure } from '../platform/account-erasure.js';
import { AppError, tookNoEffect } from '../platform/errors/app-error.js';
import type { By } from '../platform/journal/stream-metadata.js';
import { type StoredFile, Uploads } from '../platform/uploads/uploads.js';
import { CardContent } from './card-content.js';
import { ContentRecords } from './content-records.js';
import { type ContentRow, Contents } from './contents.js';

export interface Publication {
  readonly ownerId: string;
  readonly surface: ContentSurface;
  readonly file: StoredFile;
  readonly caption: string | null;
  readonly hashtags: readonly string[];
}

/** Shows content, the row first and the event second, and takes it away again. */
@Injectable()
export class Publishing {
  constructor(
    private readonly contents: Contents,
    private readonly records: ContentRecords,
    private readonly card: CardContent,
    private readonly uploads: Uploads,
    erasure: AccountErasure,
  ) {
    erasure.register((ownerId, by, limit) => this.erase(ownerId, by, limit));
  }

  /** The row, which alone shows nothing. @throws AppError 409 the file is another member's content, or on another surface */
  async prepare({ ownerId, surface, file, caption, hashtags }: Publication): Promise<void> {
    const isTheirs = await this.contents.insert({
      id: file.id,
      owner_id: ownerId,
      surface,
      content_type: file.kind,
      file_id: file.id,
      media_type: file.contentType,
      media_url: file.url,
      thumbnail_url: file.thumbnailUrl,
      caption,
      hashtags: [...new Set(hashtags)],
    });
    if (!isTheirs) {
      throw new AppError(
        409,
        'SHOWN_ELSEWHERE',
        'This file is already shown elsewhere. Upload it again to show it here.',
      );
    }
  }

  /** The content has its file's id: publishing a file twice is publishing it once. @throws AppError 409 as `prepare`, 503 */
  async publish(publication: Publication, by: By): Promise<void> {
    await this.prepare(publication);
    const { ownerId, surface, file } = publication;
    await this.records.execute(file.id, { type: 'PublishContent', contentId: file.id, authorId: ownerId, surface }, by);
  }

  /**
   * Event, row, the owner's card where it is shown there, and the file last; until then it is remembered that something is
   * left to do (`UnfinishedRemovals`). Once the row is removed, no card can choose it any more.
   * @throws AppError 503
   */
  async remove({ id, owner_id: ownerId, file_id: fileId }: ContentRow, by: By): Promise<void> {
    const isFirst = await this.contents.beginRemoval(id);
    try {
      await this.records.execute(id, { type: 'RemoveContent' }, by);
    } catch (error) {
      if (isFirst && tookNoEffect(error)) await this.contents.endRemoval(id);
      throw error;
    }
    await this.contents.remove(id);
    await this.card.takeOff(ownerId, id, by);
    await this.uploads.remove(fileId);
    await this.contents.endRemoval(id);
  }

  /** All that a member showed. What the feed and the cards show goes with an event; then nothing refers to the row any more. */
  private async erase(ownerId: string, by: By, limit: number): Promise<number> {
    const found = await this.contents.ofOwner(ownerId, limit);
    if (found.length > 0) await this.records.choose(ownerId, () => null, by);
    for (const { id, file_id: fileId } of found) {
      await this.records.execute(id, { type: 'RemoveContent' }, by);
      await this.uploads.remove(fileId);
      await this.contents.forget(id);
    }
    return found.length;
  }
}
