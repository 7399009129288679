/** How the process that reads members' files is started: arguments of Node. */
export const MEDIA_CHILD: readonly string[] = [import.meta.dirname + '/media-child.js'];
