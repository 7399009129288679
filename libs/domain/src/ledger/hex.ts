/** The value of a hexadecimal digit by its character code; −1 for any other character. */
const DIGIT = new Int8Array(0x1_0000).fill(-1);
for (let digit = 0; digit < 16; digit++) DIGIT[digit.toString(16).charCodeAt(0)] = digit;

const digitAt = (text: string, at: number): number => DIGIT[text.charCodeAt(at)] ?? -1;

/** The 16 bits of four lower-case hexadecimal digits; below zero if one is invalid. */
export const fourDigits = (text: string, at: number): number =>
  (digitAt(text, at) << 12) | (digitAt(text, at + 1) << 8) | (digitAt(text, at + 2) << 4) | digitAt(text, at + 3);

/** The 32 bits of the eight hex digits at a place in a text. */
export const wordOf = (hex: string, place: number): number =>
  ((fourDigits(hex, place * 8) << 16) | fourDigits(hex, place * 8 + 4)) >>> 0;
