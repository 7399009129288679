const MB = 1_048_576;

/** What a place takes: where its tickets come from, how large a file may be, and of which types. */
export interface UploadRules {
  readonly ticketUrl: string;
  readonly maxBytes: number;
  readonly accept: readonly string[];
}

/** S1 §5 and §9, Profile and content. */
export const PROFILE_IMAGE_RULES: UploadRules = {
  ticketUrl: '/api/profile/image-upload-url',
  maxBytes: 10 * MB,
  accept: ['image/*'],
};
export const CONTENT_RULES: UploadRules = {
  ticketUrl: '/api/content/upload-url',
  maxBytes: 50 * MB,
  accept: ['image/*', 'video/*'],
};

export type MediaKind = 'image' | 'video';

/** A file that has arrived; `mediaUrl` goes into the call that registers it. */
export interface UploadedFile {
  readonly file: File;
  readonly kind: MediaKind;
  readonly mediaUrl: string;
}

/** S1 §5: video if the file's type begins with video/, else image. */
export const kindOfFile = (file: File): MediaKind => (file.type.startsWith('video/') ? 'video' : 'image');

/** "Images or videos, at most 50 MB": what to say before a file is picked. */
export function describeRules({ accept, maxBytes }: UploadRules): string {
  const images = accept.some((type) => type.startsWith('image/'));
  const videos = accept.some((type) => type.startsWith('video/'));
  const kinds = [images && 'image', videos && 'video'].filter(Boolean).join(' or ');
  return `One ${kinds}, at most ${Math.round(maxBytes / MB)} MB`;
}
