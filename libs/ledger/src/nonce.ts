import { randomBytes } from 'node:crypto';

/** This process among all that write to one journal. */
const SERVER = randomBytes(6).toString('base64url');
let given = 0;

/** A text that no other call of any server returns: for a command without a key (`Stamp.nonce`). */
export const newNonce = (): string => `${SERVER}.${(given++).toString(36)}`;
