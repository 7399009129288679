/** What shows nothing: white space, what takes no room, and what has a place of its own and leaves it empty. */
const EMPTY = '[\\s\\p{Default_Ignorable_Code_Point}\\u2800\\u{1d159}]';
/** Joiners, selectors and tags: they show nothing either, but may be part of the letter or emoji beside them. */
const PART = '[\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0020}-\\u{e007f}\\u{e0100}-\\u{e01ef}]';
const ALL_BLANK = new RegExp(`^${EMPTY}*$`, 'u');
const BLANK = new RegExp(`(?!${PART})${EMPTY}`, 'u');
const SHOWS_NOTHING = new RegExp(EMPTY, 'u');

/** Whether a text shows nothing, however many characters it has. */
export const isBlank = (text: string): boolean => ALL_BLANK.test(text);

/** A text without the blanks around it; empty where it shows nothing at all. */
export function trimText(text: string): string {
  if (isBlank(text)) return '';
  // Character by character: a pattern would look at a long run of blanks once for each of them.
  const characters = Array.from(text);
  const isKept = (character: string): boolean => !BLANK.test(character);
  return characters.slice(characters.findIndex(isKept), characters.findLastIndex(isKept) + 1).join('');
}

/** How long a text is: Unicode code points of what is left when blanks around it are taken off. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of trimText(text)) count += 1;
  return count;
}

/** Code points that show something, by themselves or on a letter: what counts of a host's text. */
export function countNonBlank(text: string): number {
  let count = 0;
  for (const character of text) if (!SHOWS_NOTHING.test(character)) count += 1;
  return count;
}
