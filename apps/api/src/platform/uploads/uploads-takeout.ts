import { Injectable } from '@nestjs/common';
import { AccountTakeout, type TakeoutFile } from '../account-takeout.js';
import { fileKey, FileStore } from './files/file-store.js';
import { UploadRows } from './upload-rows.js';

/** The member's files, named as their list names them. */
@Injectable()
export class UploadsTakeout {
  constructor(
    private readonly rows: UploadRows,
    private readonly files: FileStore,
    takeout: AccountTakeout,
  ) {
    takeout.registerFiles((memberId) => this.filesOf(memberId));
  }

  private async filesOf(memberId: string): Promise<TakeoutFile[]> {
    const found = await this.rows.claimedOf(memberId);
    return found.map(({ id, contentType, bytes }) => ({
      path: `files/${id}.${contentType.replace(/^\w+\/|\W+/g, '')}`,
      bytes,
      open: () => this.files.read(fileKey(id), undefined),
    }));
  }
}
