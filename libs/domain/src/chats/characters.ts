/** Characters that show nothing: white space, zero-width characters, and characters that leave their place blank. */
const EMPTY = '[\\s\\p{Default_Ignorable_Code_Point}\\u2800\\u{1d159}]';
/** Joiners, selectors and tags also show nothing, but may be part of the letter or emoji next to them. */
const PART = '[\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0020}-\\u{e007f}\\u{e0100}-\\u{e01ef}]';
const ALL_BLANK = new RegExp(`^${EMPTY}*$`, 'u');
const BLANK = new RegExp(`(?!${PART})${EMPTY}`, 'u');
const SHOWS_NOTHING = new RegExp(EMPTY, 'u');

/** Whether a text shows nothing, regardless of its length. */
export const isBlank = (text: string): boolean => ALL_BLANK.test(text);

/** A text without the blanks around it; empty if it shows nothing at all. */
export function trimText(text: string): string {
  if (isBlank(text)) return '';
  // Character by character: a pattern would be quadratic in a long run of blanks.
  const characters = Array.from(text);
  const isKept = (character: string): boolean => !BLANK.test(character);
  return characters.slice(characters.findIndex(isKept), characters.findLastIndex(isKept) + 1).join('');
}

/** A text's length: Unicode code points without the surrounding blanks. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of trimText(text)) count += 1;
  return count;
}

/** Visible code points, by themselves or on a letter: the ones that count in a host's text. */
export function countNonBlank(text: string): number {
  let count = 0;
  for (const character of text) if (!SHOWS_NOTHING.test(character)) count += 1;
  return count;
}
