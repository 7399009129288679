import { hash } from 'node:crypto';

/** The stored form of a code or token: a reader of the database cannot use it. */
export const tokenId = (value: string): string => hash('sha256', value, 'base64url');
