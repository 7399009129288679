import type { Signing } from '@app/domain';

/** Which key signs which journal from which revision. */
export interface TrustedKey {
  /** 32 hex digits. */
  readonly journal: string;
  /** Ed25519, 64 hex digits. */
  readonly publicKey: string;
  /** The first revision that it signs. */
  readonly from: number;
}

/**
 * What an installation knows about its journal outside the database, where nobody with write access to the journal can
 * change it: who signs it, and since when. In order: the first key begins with `SigningBegan`, each further one follows
 * a `SigningKeyChanged`.
 */
export type JournalTrust = readonly TrustedKey[];

/** Whose signatures hold for an event, by what we know; undefined where none is asked for. */
export function signingAt(trust: JournalTrust, revision: number): Signing | undefined {
  const key = trust.findLast(({ from }) => from <= revision);
  return key && { journal: key.journal, publicKey: key.publicKey, since: key.from };
}

/** Whose signatures hold behind an event, by what we know: a key that was changed to there, but no beginning that is still to come. */
export function signingAfter(trust: JournalTrust, revision: number): Signing | undefined {
  const [now, next] = [signingAt(trust, revision), signingAt(trust, revision + 1)];
  return now && next?.journal === now.journal ? next : now;
}

export const isSameSigning = (one: Signing | undefined, other: Signing | undefined): boolean =>
  one?.journal === other?.journal && one?.publicKey === other?.publicKey && one?.since === other?.since;
