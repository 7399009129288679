const BLANK = /\s/u;

/** How long a text is: Unicode code points of what is left when blanks around it are taken off (`decisions.md`, General). */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text.trim()) count += 1;
  return count;
}

/** Code points that are no blanks: what counts of a host's text. */
export function countNonBlank(text: string): number {
  let count = 0;
  for (const character of text) if (!BLANK.test(character)) count += 1;
  return count;
}
