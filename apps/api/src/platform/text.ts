import { domainToASCII } from 'node:url';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationOptions } from 'class-validator';
import { trimText } from '@app/domain';

/** Blanks around a text go, and what shows nothing is empty: rules that ask for a text then miss it. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? trimText(value) : value));

/** An empty parameter is an absent one: clients send their forms as they are. */
export const EmptyIsAbsent = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));

export interface TextLimits {
  readonly min?: number;
  /** In Unicode code points. */
  readonly max: number;
}

/** Length as people count it: Unicode code points (rule general-3). */
export const codePoints = (text: string): number => Array.from(text).length;

/** Control characters, line breaks aside, have no place in what members type; NUL cannot even be stored. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

export const isPlainText = (value: unknown, { min = 0, max }: TextLimits): value is string => {
  if (typeof value !== 'string' || CONTROL.test(value) || LONE_SURROGATE.test(value)) return false;
  // A string has at least half as many code points as UTF-16 units: longer ones need not be counted.
  if (value.length > 2 * max) return false;
  const length = codePoints(value);
  return length >= min && length <= max;
};

/** A string of so many code points without control characters. */
export const IsPlainText = (limits: TextLimits, options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isPlainText',
      validator: {
        validate: (value: unknown) => isPlainText(value, limits),
        defaultMessage: () => `$property must be text of ${limits.min ?? 0} to ${limits.max} characters.`,
      },
    },
    options,
  );

/** Text that members type: trimmed, then checked. */
export const MemberText = (limits: TextLimits, options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(Trimmed(), IsPlainText(limits, options));

/**
 * The form that e-mail addresses are compared in: case does not count, and an international domain is one domain in letters
 * and in Punycode. Text that is no address stays text.
 */
export function emailKey(email: string): string {
  const key = email.trim().normalize('NFC').toLowerCase();
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1);
  if (at < 0 || isAscii(domain)) return key;
  const ascii = domainToASCII(domain);
  return ascii === '' ? key : `${key.slice(0, at + 1)}${ascii}`;
}

// oxlint-disable-next-line no-control-regex
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

/** Letters that Unicode does not take apart, and what they are typed as where a keyboard has them not. */
const PLAIN_LETTERS = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ς: 'σ', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h' }),
);

/** What people type for an apostrophe. */
const APOSTROPHES = /['`\u00b4\u02b9\u02bb-\u02bf\u02c8\u05f3\u2018\u2019\u201b\u2032\uff07]/gu;

/**
 * The form that names are searched in (`name_key`): neither case nor accents nor apostrophes count, nor what nobody
 * sees (rule accounts-24).
 */
export const searchKey = (text: string): string =>
  text
    // Taken out first: Unicode takes an acute accent apart into a space and its mark.
    .replace(APOSTROPHES, '')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replace(/[ßæœıςłøđðħ]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .trim();

/** Patterns for a member's name (`name_key`) and e-mail (`email_key`): addresses keep their accents. */
export const memberPatterns = (text: string): readonly [name: string, email: string] => [
  likePattern(searchKey(text)),
  likePattern(text.includes('@') ? emailKey(text) : partOfAddress(text)),
];

/** A domain alone is found in the form that keys have it in. */
function partOfAddress(text: string): string {
  const key = emailKey(text);
  return isAscii(key) ? key : domainToASCII(key) || key;
}

/** A pattern for SQL `like … escape '\'` that finds the text anywhere. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Text as it stands in HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
