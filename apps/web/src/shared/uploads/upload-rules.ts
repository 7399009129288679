import { UPLOAD_BYTES_MAX } from '@app/domain';

const MB = 1_048_576;

/** What an upload place accepts: where its tickets come from, the largest size, and the types. */
export interface UploadRules {
  readonly ticketUrl: '/api/profile/image-upload-url' | '/api/content/upload-url' | '/api/admin/content/upload-url';
  readonly maxBytes: number;
  readonly accept: readonly string[];
}

/** Rule uploads-3. */
export const PROFILE_IMAGE_RULES: UploadRules = {
  ticketUrl: '/api/profile/image-upload-url',
  maxBytes: UPLOAD_BYTES_MAX['profile-image'],
  accept: ['image/*'],
};
export const CONTENT_RULES: UploadRules = {
  ticketUrl: '/api/content/upload-url',
  maxBytes: UPLOAD_BYTES_MAX.content,
  accept: ['image/*', 'video/*'],
};

/** For files that an admin uploads for a member (rule uploads-3). */
export const ADMIN_CONTENT_RULES: UploadRules = {
  ticketUrl: '/api/admin/content/upload-url',
  maxBytes: UPLOAD_BYTES_MAX['admin-content'],
  accept: ['image/*', 'video/*'],
};

export type MediaKind = 'image' | 'video';

/** A file that has arrived; `mediaUrl` goes into the call that registers it. */
export interface UploadedFile {
  readonly file: File;
  readonly kind: MediaKind;
  readonly mediaUrl: string;
}

/** Video if the file's type begins with video/, else image (rule uploads-4). */
export const kindOfFile = (file: File): MediaKind => (file.type.startsWith('video/') ? 'video' : 'image');

/** The kinds that an upload place accepts. */
export const kindsOf = ({ accept }: UploadRules): MediaKind[] =>
  (['image', 'video'] as const).filter((kind) => accept.some((type) => type.startsWith(`${kind}/`)));

/** "One image or video, at most 50 MB": shown before a file is picked. */
export const describeRules = (rules: UploadRules): string =>
  `One ${kindsOf(rules).join(' or ')}, at most ${Math.round(rules.maxBytes / MB)} MB`;
