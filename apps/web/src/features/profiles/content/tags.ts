import { HASHTAGS_MAX } from '@app/domain';
const TAG = /^[\p{L}\p{N}\p{M}_-]{1,50}$/u;

/**
 * Tags are separated by spaces. Only words that start with # count, without the #, and each once (rule profiles-11).
 */
export function readTags(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word.startsWith('#'));
  return [...new Set(words.map((word) => word.replace(/^#+/, '')).filter((word) => word !== ''))];
}

/** Why these tags cannot be used, in a sentence; undefined if they can. */
export function tagComplaint(tags: readonly string[]): string | undefined {
  if (tags.length > HASHTAGS_MAX) return `There can be at most ${HASHTAGS_MAX} tags.`;
  const wrong = tags.find((tag) => !TAG.test(tag));
  return wrong === undefined ? undefined : `#${wrong} is no tag: use up to 50 letters, digits, _ or -.`;
}
