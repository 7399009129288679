/** Limits of members' descriptions of themselves, in Unicode code points (rule general-3). */

/** The account's, at registration and afterwards. */
export const DISPLAY_NAME_MAX = 50;
/** Our own limits: room for a paragraph, a place, an address. */
export const BIO_MAX = 500;
export const LOCATION_MAX = 100;
export const WEBSITE_MAX = 200;
/** Rule discovery-3. */
export const STATUS_MAX = 200;
export const OCCUPATION_MAX = 100;
export const AMBITIONS_MAX = 500;

/** The moods of cards (rule discovery-2); neutral is for the Nexus. */
export const MOODS = ['red', 'orange', 'yellow', 'green', 'blue', 'indigo', 'violet', 'neutral'] as const;
export type Mood = (typeof MOODS)[number];
export const MOOD_DEFAULT: Mood = 'blue';

/** Rule discovery-3. */
export const RELATIONSHIP_STATUSES = [
  'Single',
  'In a relationship',
  'Married',
  'Real friends',
  "It's complicated",
  'Mind your business',
  "I'm about that life",
] as const;

/**
 * An address of a web page that others may safely be led to: `http` or `https`, with a host, and without a name and
 * password in it, which would show another host than it leads to.
 */
export function isWebsite(text: string): boolean {
  if (!/^https?:\/\/[^\s/?#]/i.test(text) || /\s/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && hostname !== '' && username === '' && password === '';
}
