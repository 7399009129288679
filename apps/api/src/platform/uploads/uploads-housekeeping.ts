import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { FileStore, originalKey } from './files/file-store.js';
import { Scratch } from './files/scratch.js';
import { TRANSFER_MS_MAX, UNCLAIMED_MS_MAX } from './upload-limits.js';
import { UploadRows } from './upload-rows.js';
import { Uploads } from './uploads.js';

const SWEEP_MS = 10 * 60 * 1000;
const FILES_PER_SWEEP = 500;

/** Removes files that nothing refers to after a day, those of members who are gone, and what killed processes left half done. */
@Injectable()
export class UploadsHousekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(UploadsHousekeeping.name);
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly rows: UploadRows,
    private readonly uploads: Uploads,
    private readonly files: FileStore,
    private readonly scratch: Scratch,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping = this.sweep().catch((error: unknown) => {
        this.logger.warn({ err: error }, 'removing unused files failed; the next round will do');
      });
    }, SWEEP_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  async sweep(): Promise<void> {
    await this.scratch.sweep(Date.now());
    for (const id of await this.rows.abandoned(UNCLAIMED_MS_MAX, FILES_PER_SWEEP)) await this.uploads.remove(id);
    for (const id of await this.rows.withOriginals(TRANSFER_MS_MAX, FILES_PER_SWEEP)) {
      await this.files.remove(originalKey(id));
      await this.rows.markOriginalRemoved(id);
    }
  }
}
