import { Injectable } from '@nestjs/common';
import { AccountErasure } from '../account-erasure.js';
import { HOUSEKEEPING, Rounds } from '../rounds.js';
import { FileStore, originalKey, posterKey } from './files/file-store.js';
import { Scratch } from './files/scratch.js';
import { TRANSFER_MS_MAX, UNCLAIMED_MS_MAX } from './upload-limits.js';
import { UploadRows } from './upload-rows.js';
import { Uploads } from './uploads.js';

const FILES_PER_SWEEP = 500;

/**
 * Removes files that nothing refers to after a day, files of members who are gone, and folders that killed processes
 * left.
 */
@Injectable()
export class UploadsHousekeeping extends Rounds {
  constructor(
    private readonly rows: UploadRows,
    private readonly uploads: Uploads,
    private readonly files: FileStore,
    private readonly scratch: Scratch,
    erasure: AccountErasure,
  ) {
    super(HOUSEKEEPING, 'removing unused files');
    erasure.register((memberId, _, limit) => this.erase(memberId, limit));
  }

  protected override round(): Promise<void> {
    return this.sweep();
  }

  async sweep(): Promise<void> {
    await this.scratch.sweep(Date.now());
    for (const id of await this.rows.abandoned(UNCLAIMED_MS_MAX, FILES_PER_SWEEP)) await this.uploads.remove(id);
    for (const id of await this.rows.withOriginals(TRANSFER_MS_MAX, FILES_PER_SWEEP)) {
      await this.files.remove(originalKey(id));
      await this.files.remove(posterKey(id));
      await this.rows.markOriginalRemoved(id);
    }
  }

  private async erase(memberId: string, limit: number): Promise<number> {
    const ids = await this.rows.ofMember(memberId, limit);
    for (const id of ids) await this.uploads.remove(id);
    return ids.length;
  }
}
