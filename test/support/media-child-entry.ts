import path from 'node:path';

/** Replaces `child-entry.ts`: tests run from sources, and so does the process that reads members' files. */
export const MEDIA_CHILD: readonly string[] = [path.join(import.meta.dirname, 'media-child.cjs')];
