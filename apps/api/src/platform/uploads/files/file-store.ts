import type { Readable } from 'node:stream';
import type { ByteRange } from '../byte-range.js';
import type { SignedUpload } from '../upload-signature.js';

/** A store of files. We build its keys from ids and fixed words, never from a member's text. */
export abstract class FileStore {
  /** The address that takes the PUT of the file of a ticket, which is then under `originalKey(id)`. */
  abstract uploadUrl(upload: SignedUpload): Promise<string>;

  /** Puts a finished local file in place under a key, all of it or nothing; the local file may be gone afterwards. */
  abstract put(key: string, localFile: string, contentType: string): Promise<void>;

  /** Bytes, or undefined where there is no such file. */
  abstract sizeOf(key: string): Promise<number | undefined>;

  /** A local file with this content, not to be changed: the store's own, or a copy in `folder`. */
  abstract localFile(key: string, folder: string): Promise<string>;

  /** The content, or undefined where there is no such file. */
  abstract read(key: string, range: ByteRange | undefined): Promise<Readable | undefined>;

  /** Does nothing if there is none. */
  abstract remove(key: string): Promise<void>;
}

/** A member's original file. Its key is the end of its address. */
export const originalKey = (id: string): string => `objects/uploads/${id}`;
/** A picture of a video that its sender's browser made, as it came. */
export const posterKey = (id: string): string => `objects/uploads/${id}/poster`;
/** What is served. */
export const fileKey = (id: string): string => `media/${id}/file`;
export const thumbnailKey = (id: string): string => `media/${id}/thumbnail`;
