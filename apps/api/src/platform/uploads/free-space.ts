import { mkdir, statfs } from 'node:fs/promises';
import { AppError } from '../errors/app-error.js';

/** Keeps files from filling the disk, which may also hold the journal: below the floor no file is taken. */
export class FreeSpace {
  constructor(
    private readonly folder: string,
    private readonly floorBytes: number,
  ) {}

  /** @throws AppError 503 if these bytes would leave less than the floor free */
  async need(bytes: number): Promise<void> {
    if (this.floorBytes === 0) return;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize - bytes >= this.floorBytes) return;
    throw new AppError(
      503,
      'STORAGE_FULL',
      'Nova is short of disk space and accepts no files at the moment. Please try again later.',
      { retryAfterSeconds: 600 },
    );
  }
}
