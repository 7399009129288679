import type { TerminationCause } from '@app/domain';
import type { ChatMessage } from '@/shared/realtime';

/** The shapes of paid chats as the API sends them. Amounts are Nova, times ISO 8601. */

export type ChatSide = 'initiator' | 'host';
export type ChatStatus = 'requested' | 'active' | 'successful' | 'completed' | 'declined' | 'expired' | 'terminated';

export interface ChatParty {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  rating: number;
}

export interface ChatView {
  id: string;
  status: ChatStatus;
  /** Which side I am. */
  side: ChatSide;
  initiatorId: string;
  hostId: string;
  initiator: ChatParty;
  host: ChatParty;
  price: number;
  exchangeCount: number;
  totalCharacterCount: number;
  validHostCharacterCount: number;
  isSuccessful: boolean;
  /** 0 to 100. */
  percentage: number;
  myRating: number | null;
  theirRating: number | null;
  requestedAt: string;
  acceptBy: string;
  acceptedAt: string | null;
  verifyBy: string | null;
  endedAt: string | null;
  terminatedBy: ChatSide | null;
  terminationCause: TerminationCause | null;
  rateBy: string | null;
  completedAt: string | null;
  refunded: number | null;
  /** The newest 200, oldest first. */
  messages: ChatMessage[];
}

/** One of my open chats. */
export interface ChatSummary {
  id: string;
  status: ChatStatus;
  side: ChatSide;
  otherUser: ChatParty;
  price: number;
  percentage: number;
  acceptBy: string;
  verifyBy: string | null;
  lastMessageAt: string | null;
}

/** A request in which I am the host. */
export interface ChatRequest {
  id: string;
  chatId: string;
  hostId: string;
  initiatorId: string;
  initiator: ChatParty;
  price: number;
  requestedAt: string;
  acceptBy: string;
}

/** S1 §3 Payout summary. */
export interface PayoutSummary {
  novaEarned: number;
  isInitiator: boolean;
  influencePointsEarned: number;
  totalInfluencePoints: number;
  currentNovaBalance: number;
  totalEarnedNova: number;
  karmaTokenProgress: { hasKarmaToken: boolean; current: number; required: number; percentage: number };
  perpetualBenefits: {
    hasTokenRewards: boolean;
    hasThreadRewards: boolean;
    totalTokenRewards: number;
    totalThreadRewards: number;
    tokenBreakdown: { tokenCount: number; distributionRule: string; amount: number }[];
    threadBreakdown: { ownershipPercentage: number; threadSource: string; amount: number }[];
  };
  rewardsReleased: number;
  completed: boolean;
}
