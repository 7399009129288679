import { constants, createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '../../errors/error-code.js';
import type { ByteRange } from '../byte-range.js';
import type { SignedUpload, UploadSignatures } from '../upload-signature.js';
import { FileStore } from './file-store.js';

const KEY = /^(?:[a-z]+\/)+[0-9a-f-]{36}(?:\/[a-z]+)?$/;

/**
 * Files in `{dataDir}/uploads`. Files there are always complete: they are written elsewhere and renamed once they are
 * on disk.
 */
export class LocalFileStore extends FileStore {
  private readonly folder: string;

  constructor(
    dataDir: string,
    private readonly signatures: UploadSignatures,
  ) {
    super();
    this.folder = path.join(dataDir, 'uploads');
  }

  async uploadUrl(upload: SignedUpload): Promise<string> {
    return this.signatures.address(upload);
  }

  async put(key: string, localFile: string): Promise<void> {
    const target = this.pathOf(key);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await syncToDisk(localFile);
    await rename(localFile, target);
    await syncToDisk(path.dirname(target));
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const found = await unlessAbsent(stat(this.pathOf(key)));
    return found?.size;
  }

  async localFile(key: string): Promise<string> {
    return this.pathOf(key);
  }

  async read(key: string, range: ByteRange | undefined): Promise<Readable | undefined> {
    const handle = await unlessAbsent(open(this.pathOf(key), constants.O_RDONLY));
    return handle && createReadStream('', { fd: handle, ...range });
  }

  async remove(key: string): Promise<void> {
    const target = this.pathOf(key);
    await rm(target, { force: true });
  }

  /** Two levels by the random end of the id, so that no folder grows without bound. */
  private pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error(`not a key of a file: ${key}`);
    const [, id = ''] = /([0-9a-f-]{36})/.exec(key) ?? [];
    return path.join(this.folder, 'files', id.slice(-2), id.slice(-4, -2), key.replaceAll('/', '_'));
  }
}

async function syncToDisk(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
