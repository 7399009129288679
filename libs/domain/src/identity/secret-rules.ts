/** Rules for new passwords and PINs that need no word list. */

/** Words that an attacker tries first on this product. */
const PRODUCT_WORDS = ['nova', 'seyvn', 'resonance', 'influence', 'karma', 'nexus'] as const;
/** Shorter parts of a name occur in too many good passwords. */
const OWN_WORD_MIN = 3;
/** The letters that a password must have in addition to such words. */
const OTHER_LETTERS_MIN = 5;
/** A unit of a few characters, repeated. */
const REPEATED_UNIT_MAX = 4;
/** Shorter runs are chance. */
const RUN_MIN = 3;
/** The sequences of runs: digits, the alphabet, and the rows of keyboards. */
const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
].flatMap((row) => [row, Array.from(row).toReversed().join('')]);

const FIRST_YEAR = 1900;
const LAST_YEAR = 2029;

/** Whose password it will be. */
export interface SecretOwner {
  readonly displayName: string;
  readonly email: string;
}

/** A rule that a new password breaks: a stable code, and a sentence that says what to do. */
export interface SecretFault {
  readonly code: 'PASSWORD_COMMON' | 'PASSWORD_PATTERN' | 'PASSWORD_PRODUCT' | 'PASSWORD_PERSONAL' | 'PIN_COMMON';
  readonly message: string;
}

export const COMMON_PASSWORD: SecretFault = {
  code: 'PASSWORD_COMMON',
  message: 'This password is one of the most common. Choose another, such as a few words of your own.',
};

const PATTERN: SecretFault = {
  code: 'PASSWORD_PATTERN',
  message:
    'This password only repeats itself or runs along the keyboard. Choose another, such as a few words of your own.',
};

const PRODUCT: SecretFault = {
  code: 'PASSWORD_PRODUCT',
  message:
    'This password is little more than the name of this product. Choose another, such as a few words of your own.',
};

const PERSONAL: SecretFault = {
  code: 'PASSWORD_PERSONAL',
  message:
    'This password is little more than your name or email address. Choose another, such as a few words of your own.',
};

/** The faults that `passwordFault` returns. */
export const PASSWORD_FAULTS: readonly SecretFault[] = [PATTERN, PRODUCT];

export const COMMON_PIN: SecretFault = {
  code: 'PIN_COMMON',
  message: 'This PIN is one of the most common. Choose one that is neither a pattern nor a year.',
};

/** Normalises a text for comparison: only letters and digits, without case and accents. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The fault of a password that does not depend on its owner. */
export function passwordFault(password: string): SecretFault | undefined {
  const text = password.normalize('NFC').toLowerCase();
  if (isRepeated(text) || isRunTogether(text)) return PATTERN;
  if (isMadeOf(folded(password), PRODUCT_WORDS)) return PRODUCT;
  return undefined;
}

/** The fault of a password that this member chooses. */
export function ownPasswordFault(password: string, owner: SecretOwner): SecretFault | undefined {
  return isMadeOf(folded(password), wordsOf(owner)) ? PERSONAL : undefined;
}

/** Digits that come twice each: 1122, 112233. */
const IN_PAIRS = /^(?:(\d)\1)+$/;

/** The fault of a PIN of digits: one digit, a run, a repeated pair (1212), pairs (1122), or a year. */
export function pinFault(pin: string): SecretFault | undefined {
  const year = Number(pin);
  const isYear = pin.length === 4 && year >= FIRST_YEAR && year <= LAST_YEAR;
  const isRepeated = isRepeatOf(pin, 1) || isRepeatOf(pin, 2) || IN_PAIRS.test(pin);
  return isYear || isRepeated || runLength(pin) === pin.length ? COMMON_PIN : undefined;
}

const isRepeated = (text: string): boolean =>
  Array.from({ length: REPEATED_UNIT_MAX }, (_, index) => index + 1).some((unit) => isRepeatOf(text, unit));

/** Whether a text repeats its first characters at least once; the last time may be cut off. */
function isRepeatOf(text: string, unit: number): boolean {
  const characters = Array.from(text);
  return characters.length >= 2 * unit && characters.every((each, index) => each === characters[index % unit]);
}

/** Whether a text is nothing but runs. */
function isRunTogether(text: string): boolean {
  for (let rest = text; rest !== '';) {
    const length = runLength(rest);
    if (length < RUN_MIN) return false;
    rest = rest.slice(length);
  }
  return text !== '';
}

/** The length of the longest run at the start of a text. */
const runLength = (text: string): number =>
  Math.max(
    ...ROWS.map((row) => {
      const from = row.indexOf(text.charAt(0));
      if (from < 0) return 0;
      let length = 0;
      while (length < text.length && text.charAt(length) === row.charAt(from + length)) length += 1;
      return length;
    }),
  );

/** Whether a text has one of these words and, apart from them and digits, almost nothing. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  let rest = text;
  // The longest first: part of it may be a word of its own.
  for (const word of words.toSorted((one, other) => other.length - one.length)) rest = rest.replaceAll(word, ' ');
  if (rest === text) return false;
  return Array.from(rest.matchAll(/\p{L}/gu)).length < OTHER_LETTERS_MIN;
}

/** A name and its parts, and the part of an address before the @ and its parts. */
function wordsOf({ displayName, email }: SecretOwner): string[] {
  const at = email.lastIndexOf('@');
  const [local, domain] = at < 0 ? [email, ''] : [email.slice(0, at), email.slice(at + 1)];
  const host = domain.split('.').slice(0, -1).join('.');
  const texts = [displayName, local, host];
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{M}\p{N}]+/u)]).map(folded);
  return words.filter((word) => Array.from(word).length >= OWN_WORD_MIN && /\p{L}/u.test(word));
}
