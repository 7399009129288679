import path from 'node:path';

/** In place of `child-entry.ts`: tests run on sources, and so does the process that reads members' files. */
export const MEDIA_CHILD: readonly string[] = [path.join(import.meta.dirname, 'media-child.cjs')];
