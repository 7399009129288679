export type FileKind = 'image' | 'video';

/** A file in use. */
export interface StoredFile {
  readonly id: string;
  readonly kind: FileKind;
  /** As decided from the content, for instance `image/jpeg`. */
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** `/objects/uploads/{id}`. */
  readonly url: string;
  /** A small image of the file; for a video its poster frame. Null if none could be made. */
  readonly thumbnailUrl: string | null;
}
