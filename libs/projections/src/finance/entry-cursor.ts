import { InvalidCursor } from '../invalid-cursor.js';

/**
 * An entry's place among the entries of several accounts of different kinds: an event has at most one entry for each
 * account.
 */
export interface EntryPlace {
  readonly revision: number;
  /** The code of its account's kind (`codeOf`). */
  readonly code: number;
}

const PLACE = /^(\d{1,15})-(\d{1,2})$/;

export const entryCursor = ({ revision, code }: EntryPlace): string => `${revision}-${code}`;

/** @throws InvalidCursor */
export function parseEntryCursor(text: string): EntryPlace {
  const [, revision, code] = PLACE.exec(text) ?? [];
  if (revision === undefined || code === undefined) throw new InvalidCursor();
  return { revision: Number(revision), code: Number(code) };
}
