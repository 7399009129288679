import { Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { replacePictures } from '../identity/account-changes.js';
import { IdentityChanges } from '../identity/identity-changes.js';
import { InjectPool } from '../platform/database/database.module.js';
import { Uploads } from '../platform/uploads/uploads.js';

export interface Pictures {
  readonly profileImageUrl: string;
  readonly profileCardThumbnailUrl: string | null;
}

const IN_USE = `
  select from member_directory where id = $1 and $2 in (profile_image_url, profile_card_thumbnail_url, profile_card_content_url)
  union all
  (select from content_directory where file_id = $3 limit 1)`;

const FILE_ID = /^\/objects\/uploads\/([0-9a-f-]{36})$/;

/** Members' profile pictures. A picture that is no longer shown anywhere is removed. */
@Injectable()
export class ProfilePictures {
  private readonly logger = new Logger(ProfilePictures.name);

  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly uploads: Uploads,
    private readonly identityChanges: IdentityChanges,
  ) {}

  /**
   * A picture without a crop leaves the card's picture unchanged.
   * @throws AppError 401 the account was closed meanwhile
   */
  async show(memberId: string, imageUrl: string, thumbnailUrl: string | null): Promise<Pictures> {
    const row = await replacePictures(this.pool, memberId, { imageUrl, thumbnailUrl });
    await this.identityChanges.publish({ kind: 'account', accountId: memberId });
    await this.tidyUp(memberId, [row.old_image, row.old_thumbnail]);
    return { profileImageUrl: row.image, profileCardThumbnailUrl: row.thumbnail };
  }

  /** A file that is left over does no harm, so a failure here does not undo the change. */
  private async tidyUp(memberId: string, urls: readonly (string | null)[]): Promise<void> {
    try {
      for (const url of urls) await this.removeUnused(memberId, url);
    } catch (error) {
      this.logger.warn({ err: error, memberId }, 'a picture that is no longer shown could not be removed');
    }
  }

  /** Removes the file of an address, unless it is the member's picture or part of their content. */
  async removeUnused(memberId: string, url: string | null): Promise<void> {
    const fileId = FILE_ID.exec(url ?? '')?.[1];
    if (fileId === undefined) return;
    const { rowCount } = await this.pool.query(IN_USE, [memberId, url, fileId]);
    if (rowCount === 0) await this.uploads.remove(fileId);
  }
}
