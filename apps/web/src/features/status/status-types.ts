import type { ChatParty } from '@/features/chats';

/** The shapes of the status dashboard as the API sends them. Amounts are Nova, tokens whole numbers. */

export interface PendingReward {
  chatId: string;
  otherUser: ChatParty;
  nova: number;
  influence: number;
  message: string;
  releaseAt: string;
}

export interface Dashboard {
  earnedNova: number;
  purchasedNova: number;
  novaBalance: number;
  influenceTokens: number;
  karmaTokens: number;
  karmaTokenBalance: number;
  karmaTokenProgress: { hasKarmaToken: boolean; current: number; required: number; percentage: number };
  rating: number;
  ratingCount: number;
  completedChats: number;
  pendingRatings: number;
  pendingRewards: number;
  pendingRewardItems: PendingReward[];
  seyvnBalance: number;
  seyvnValue: number;
  followPermissions: ChatParty[];
  testPerksAllowed: boolean;
}

export interface PendingRating {
  chatId: string;
  otherUserName: string;
  otherUserAvatar: string | null;
  chatPrice: number;
  rateBy: string;
}

export interface NovaSlice {
  key: 'purchased' | 'earned' | 'owed' | 'pending' | 'held';
  label: string;
  amount: number;
}

export interface NovaBreakdown {
  total: number;
  slices: NovaSlice[];
}

export interface PoolShare {
  points: number;
  totalPoints: number;
  sharePercent: number;
  rewardsPaid: number;
  rewardsOwed: number;
}

export interface InfluenceInventory extends PoolShare {
  karma: PoolShare;
  threads: { count: number; rewardsPaid: number; rewardsOwed: number };
}
