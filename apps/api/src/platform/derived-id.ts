import { hash } from 'node:crypto';

/** A UUIDv8 that depends only on scope and key: creating something twice under one key gives the same thing. */
export function derivedId(scope: string, key: string): string {
  const digits = hash('sha256', `${scope}\n${key}`, 'hex');
  const variant = ((parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
