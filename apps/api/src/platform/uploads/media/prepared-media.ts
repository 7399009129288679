import type { FileKind } from '../stored-file.js';

/** The files to serve, as local files. */
export interface PreparedMedia {
  readonly kind: FileKind;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly file: string;
  /** WebP. */
  readonly thumbnail: string;
}

export const THUMBNAIL_TYPE = 'image/webp';
