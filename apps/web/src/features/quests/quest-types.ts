/** The shapes of `/api/quests`. Amounts in Nova; targets and counts too where Nova is counted. */

export interface Quest {
  id: string;
  title: string;
  description: string;
  reward: number;
  startTime: string;
  endTime: string;
  isActive: boolean;
  status: 'scheduled' | 'active' | 'expired';
  rules: { type: string; target?: number };
}

export interface QuestProgress {
  questId: string;
  isCompleted: boolean;
  rewardClaimed: boolean;
  countersJSON: Record<string, number>;
  percent: number;
  claimableUntil: string;
}

export interface ClaimedReward {
  reward: number;
  novaBalance: number;
  message: string;
  eventId: string;
  projected: boolean;
}
