/** Node's arguments for the process that reads members' files. */
export const MEDIA_CHILD: readonly string[] = [import.meta.dirname + '/media-child.js'];
