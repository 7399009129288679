import type { OneTimeWords, WordUse } from '../identity/one-time-words.js';

/** How long a word from the command line is valid. */
const WORD_LIFE_MS = 60 * 60 * 1000;

/** The purpose of a word that stands in once for a member's passkey. */
export const wayInWord = (accountId: string): WordUse => ({ purpose: 'passkey_way_in', subject: accountId });

/**
 * Issues a word for a member who lost every passkey and every recovery code. The member enters it where a passkey is
 * asked for.
 */
export const issueWayIn = (words: OneTimeWords, accountId: string): Promise<string> =>
  words.issue(wayInWord(accountId), WORD_LIFE_MS);
