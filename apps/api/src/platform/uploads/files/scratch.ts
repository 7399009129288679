import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Far longer than any work on a file takes: older folders were left by a process that was killed. */
const STALE_MS = 2 * 60 * 60 * 1000;

/** Folders for files that are being received or processed, next to the finished ones. */
export class Scratch {
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = path.join(dataDir, 'uploads', 'tmp');
  }

  /** Gives the work an empty folder of its own, and removes it with its content when the work is done. */
  async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const own = await mkdtemp(path.join(this.folder, 'w-'));
    try {
      return await work(own);
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }

  /** Removes what killed processes left. */
  async sweep(now: number): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.folder)) {
      const file = path.join(this.folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found && now - found.mtimeMs > STALE_MS) await rm(file, { recursive: true, force: true });
    }
  }
}
