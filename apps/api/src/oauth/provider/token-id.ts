import { hash } from 'node:crypto';

/** What is stored of a code or token in place of itself: whoever reads the database cannot use it. */
export const tokenId = (value: string): string => hash('sha256', value, 'base64url');
