import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../platform/errors/error-code.js';
import { Explained } from '../platform/errors/explained.js';

/** Where backups are kept. Keys are paths with slashes. */
export interface BackupPlace {
  /** For operators. */
  readonly name: string;
  /** Durable once it resolves: all of it or nothing. */
  put(key: string, content: Readable): Promise<void>;
  /** @throws Error there is none */
  read(key: string): Promise<Readable>;
  /** All keys that begin so. */
  list(prefix: string): AsyncIterable<string>;
  /** Does nothing where there is none. */
  remove(key: string): Promise<void>;
}

/** A folder, here or mounted from elsewhere: it is not made, for it may be mounted later. */
export class FolderPlace implements BackupPlace {
  readonly name: string;

  constructor(private readonly folder: string) {
    this.name = folder;
  }

  async put(key: string, content: Readable): Promise<void> {
    await this.requireFolder();
    const target = this.pathOf(key);
    const draft = `${target}.${randomUUID()}.part`;
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    try {
      await pipeline(content, createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }));
      await rename(draft, target);
      await syncFolder(path.dirname(target));
    } finally {
      await rm(draft, { force: true });
    }
  }

  async read(key: string): Promise<Readable> {
    const opened = await open(this.pathOf(key));
    return createReadStream('', { fd: opened });
  }

  async *list(prefix: string): AsyncIterable<string> {
    await this.requireFolder();
    const within = prefix.includes('/') ? path.posix.dirname(`${prefix}x`) : '.';
    const entries = await readdir(path.join(this.folder, within), { recursive: true, withFileTypes: true }).catch(
      absent,
    );
    for (const entry of entries ?? []) {
      const key = path.relative(this.folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
      if (entry.isFile() && key.startsWith(prefix) && !key.endsWith('.part')) yield key;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  private async requireFolder(): Promise<void> {
    if (await stat(this.folder).catch(absent)) return;
    throw new Explained(`There is no folder ${this.folder} for backups. Make it, or mount it.`);
  }

  private pathOf(key: string): string {
    const found = path.join(this.folder, key);
    if (path.relative(this.folder, found).startsWith('..')) throw new Error(`not a key: ${key}`);
    return found;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

function absent(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}
