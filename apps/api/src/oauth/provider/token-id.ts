import { createHash } from 'node:crypto';

/** What is stored of a code or token in place of itself: whoever reads the database cannot use it. */
export const tokenId = (value: string): string => createHash('sha256').update(value).digest('base64url');
