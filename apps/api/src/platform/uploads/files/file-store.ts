import type { PictureSize } from '@app/domain';
import type { Readable } from 'node:stream';
import type { ByteRange } from '../byte-range.js';
import type { SignedUpload } from '../upload-signature.js';

/** A store of files. We build its keys from ids and fixed words, never from a member's text. */
export abstract class FileStore {
  /** The address to which a ticket's file is PUT. The file is then stored under `originalKey(id)`. */
  abstract uploadUrl(upload: SignedUpload): Promise<string>;

  /** Stores a finished local file under a key, all of it or nothing. The local file may be gone afterwards. */
  abstract put(key: string, localFile: string, contentType: string): Promise<void>;

  /** In bytes; undefined if there is no such file. */
  abstract sizeOf(key: string): Promise<number | undefined>;

  /** A local file with this content: the store's own, or a copy in `folder`. Callers must not change it. */
  abstract localFile(key: string, folder: string): Promise<string>;

  /** The content; undefined if there is no such file. */
  abstract read(key: string, range: ByteRange | undefined): Promise<Readable | undefined>;

  /** Does nothing if there is no such file. */
  abstract remove(key: string): Promise<void>;
}

/** A member's original file. Its key is the end of its address. */
export const originalKey = (id: string): string => `objects/uploads/${id}`;
/** The picture of a video that its sender's browser made, unchanged. */
export const posterKey = (id: string): string => `objects/uploads/${id}/poster`;
/** The file that is served. */
export const fileKey = (id: string): string => `media/${id}/file`;
/** Pictures that are made from others when they are first asked for. */
export const SMALL_SIZES = ['small', 'medium', 'large'] as const satisfies readonly PictureSize[];
/** WebP. */
export const smallKey = (id: string, size: PictureSize): string => `media/${id}/${size}`;
export const thumbnailKey = (id: string): string => `media/${id}/thumbnail`;
