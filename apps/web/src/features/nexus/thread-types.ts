/** The shapes of one's own personal threads as the API sends them; others see less of them. Amounts are Nova, ratings 75 to 100. */

export interface PersonalThread {
  /** The block's hash. */
  id: string;
  ownerId: string;
  blockNumber: number;
  connectedUser: { id: string; displayName: string; profileImageUrl: string | null };
  connectedUserMood: string;
  connectedUserRating: number;
  connectedUserComment: string | null;
  connectionType: 'karma' | 'influence';
  ownerRole: 'initiator' | 'host';
  ownerRating: number;
  ownerComment: string | null;
  personalNovaReceived: number | null;
  personalNovaOwed: number | null;
  chatId: string;
  givenRating: number;
  receivedRating: number;
  previousHash: string;
  hash: string;
  /** Milliseconds since 1970. */
  at: number;
  createdAt: string;
}

export interface ThreadStats {
  blocks: number;
  karmaThreads: number;
  influenceThreads: number;
  firstAt: string | null;
  lastAt: string | null;
  headHash: string | null;
  totalNovaReceived: number | null;
  totalNovaOwed: number | null;
  averageGiven: number | null;
  averageReceived: number | null;
}
