import { derivedId } from '../platform/derived-id.js';

/** The id that a request made under a caller's own key always gets, so that its repetition is the same chat. */
export const chatIdFor = (initiatorId: string, idempotencyKey: string): string =>
  derivedId(`member:${initiatorId}:chats.initiate`, idempotencyKey);
