import { ApiProperty } from '@nestjs/swagger';
import { KarmaTokenProgressDto, ChatPartyDto } from '../chats/chats.dto.js';

/** A reward that waits until one has rated, or until rating closes (rule status-5). */
export class PendingRewardDto {
  chatId: string;
  otherUser: ChatPartyDto;
  /** Nova; 0 for an initiator, whose reward is Influence. */
  nova: number;
  influence: number;
  /** What it waits for: the member's rating. */
  @ApiProperty({ enum: ['rate'] })
  reason: 'rate';
  /** @example Rate this chat to receive your reward now. */
  message: string;
  /** When it comes without a rating. */
  releaseAt: string;
}

/** The dashboard (rule status-5). Amounts are Nova, tokens whole numbers. */
export class DashboardDto {
  earnedNova: number;
  purchasedNova: number;
  novaBalance: number;
  influenceTokens: number;
  /** Earned ever. */
  karmaTokens: number;
  /** Held now. */
  karmaTokenBalance: number;
  karmaTokenProgress: KarmaTokenProgressDto;
  /** 0.00 to 9.99. */
  rating: number;
  ratingCount: number;
  completedChats: number;
  /** How many chats wait for one's rating. */
  pendingRatings: number;
  pendingRewards: number;
  pendingRewardItems: PendingRewardDto[];
  /** Burned into Seyvn so far. */
  seyvnBalance: number;
  /** What burning everything would yield: earned Nova + 10 × Influence + 5 × Karma. */
  seyvnValue: number;
  /** Members whom one follows and who follow back. */
  followPermissions: ChatPartyDto[];
  /** Whether `create-test-perks` works here. */
  testPerksAllowed: boolean;
}

/** A chat that waits for my rating (rule status-6). */
export class PendingRatingDto {
  chatId: string;
  otherUserName: string;
  otherUserAvatar: string | null;
  /** Nova. */
  chatPrice: number;
  /** Rating closes then. */
  rateBy: string;
}

/** One part of a member's Nova. */
export class NovaSliceDto {
  @ApiProperty({ enum: ['purchased', 'earned', 'owed', 'pending', 'held'], enumName: 'NovaPart' })
  key: 'purchased' | 'earned' | 'owed' | 'pending' | 'held';
  label: string;
  amount: number;
}

/** Where a member's Nova is. `total` is purchased + earned + owed, the Nova balance; pending and held are beside it. */
export class NovaBreakdownDto {
  purchased: number;
  earned: number;
  owed: number;
  pending: number;
  held: number;
  total: number;
  slices: NovaSliceDto[];
}

/** Seyvn are credited for what was burned. */
export class BurnedTokensDto {
  message: string;
  seyvnCredited: number;
  seyvnBalance: number;
  novaBalance: number;
}

export class TestPerksDto {
  message: string;
  novaBalance: number;
}

export class SubmittedRatingDto {
  message: string;
  /** Nova that the rating released. */
  rewardsReleased: number;
}

/** A kind of token that shares a pool: what one holds, and what it has brought. */
export class PoolShareDto {
  points: number;
  /** Held by all members. */
  totalPoints: number;
  /** 0 to 100, two decimals. */
  sharePercent: number;
  /** Nova paid so far. */
  rewardsPaid: number;
  /** Nova owed now: in the balance already, not yet credited. */
  rewardsOwed: number;
}

export class ThreadSharesDto {
  /** Pools of hosts in which one has a share. */
  count: number;
  rewardsPaid: number;
  rewardsOwed: number;
}

/** The Influence Inventory of the avatar menu (rule status-7). */
export class InfluenceInventoryDto extends PoolShareDto {
  karma: PoolShareDto;
  threads: ThreadSharesDto;
}
