import { v7 as uuidv7 } from 'uuid';
import { derivedId } from '../platform/derived-id.js';

/** A comment made again under the caller's own key is the same comment. */
export const commentIdFor = (commenterId: string, idempotencyKey: string | undefined): string =>
  idempotencyKey === undefined ? uuidv7() : derivedId(`member:${commenterId}:wall.comment`, idempotencyKey);
