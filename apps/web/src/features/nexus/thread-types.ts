import type { Schemas } from '@/shared/api';

/** What only the owner of a thread sees. Amounts are Nova, ratings 75 to 100. */
interface ForTheOwner {
  chatId: string;
  givenRating: number;
  receivedRating: number;
  connectedUserRating: number;
  ownerRating: number;
}

/** One of the member's own personal threads, as the API sends it. */
export type PersonalThread = Schemas['PersonalThreadDto'] & ForTheOwner;
/** A member's whole chain in figures. */
export type ThreadStats = Schemas['ThreadStatsDto'];
