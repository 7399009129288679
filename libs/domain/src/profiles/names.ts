const SEEN = /[^\s\p{Default_Ignorable_Code_Point}\p{Mark}\u2800\u{1d159}]/u;
const BREAKS_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Invisible characters, false blanks, and marks and controls that change the direction of text. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\ufff9-\ufffb\u{1d159}]/u;

/** Signs that take a vowel away: scripts of India and their neighbours join or part letters after (or before) one. */
const VIRAMA =
  '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2\\u1a60\\u1b44\\u1baa\\ua806\\ua8c4\\ua953\\ua9c0\\uabed]';
/** Letters that join their neighbours, as Arabic ones do. */
const JOINING =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Mandaic}\\p{Script=Adlam}]';
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?';

/**
 * Hidden characters that are part of correct spelling. They are removed before the search for other hidden characters.
 */
const WRITING: readonly [RegExp, string][] = [
  // A family, a profession: emoji joined to one; a heart that is to be shown as an emoji; a key with a digit on it.
  [new RegExp(`(${EMOJI})(?:\\u200d${EMOJI})+`, 'gu'), '$1'],
  [/(\p{Extended_Pictographic}\p{Emoji_Modifier}?)[\ufe0e\ufe0f]/gu, '$1'],
  [/([0-9#*])\ufe0f(?=\u20e3)/gu, '$1'],
  [new RegExp(`(${VIRAMA})[\\u200c\\u200d]`, 'gu'), '$1'],
  [new RegExp(`(\\p{L})\\u200d(?=${VIRAMA})`, 'gu'), '$1'],
  [new RegExp(`(${JOINING}\\p{M}*)[\\u200c\\u200d](?=${JOINING})`, 'gu'), '$1'],
];

export const NAME_RULE =
  'A name is one line with something to see, without hidden characters or characters that turn the direction of text.';

/**
 * Whether a text can serve as a name in a sentence or a list: it shows something, hides nothing, and does not affect
 * the text around it. Another rule, with its own sentence, requires a name at all; the empty text passes here.
 */
export function isName(text: string): boolean {
  if (text === '') return true;
  if (!SEEN.test(text) || BREAKS_LINE.test(text)) return false;
  return !HIDDEN.test(WRITING.reduce((rest, [written, kept]) => rest.replace(written, kept), text));
}

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name for the middle of a sentence: one with letters from right to left would otherwise take the words and figures
 * beside it along. In elements, `<bdi>` does the same.
 */
export const isolated = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);
