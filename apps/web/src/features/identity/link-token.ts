const TOKEN = /^#([A-Za-z0-9_-]{43})$/;

/**
 * The token of a link from a mail. It stands after the #, so that it reaches no server before somebody presses a
 * button.
 */
export const linkToken = (hash: string): string | undefined => TOKEN.exec(hash)?.[1];
