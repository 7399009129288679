import { hash } from 'node:crypto';

/** The id that a request made under a caller's own key always gets, so that its repetition is the same chat: a UUIDv8. */
export function chatIdFor(initiatorId: string, idempotencyKey: string): string {
  const digits = hash('sha256', `member:${initiatorId}:chats.initiate\n${idempotencyKey}`, 'hex');
  const variant = ((parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
