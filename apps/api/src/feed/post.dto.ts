import { ApiProperty } from '@nestjs/swagger';
import type { EngagementLevel, PromotionStage } from '@app/domain';
import { MEDIA_TYPES, type MediaType } from '../discovery/discovery.dto.js';

export class PostAuthorDto {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  /** 0.00 to 9.99. */
  rating: number;
  isOnline: boolean;
}

/** A post, as one viewer sees it (rule feed-2). */
export class PostDto {
  id: string;
  authorId: string;
  author: PostAuthorDto;
  @ApiProperty({ enum: MEDIA_TYPES })
  contentType: MediaType;
  createdAt: string;
  @ApiProperty({ enum: ['stage_a', 'stage_b', 'stage_c'] })
  promotionStage: PromotionStage;
  /** Points of all viewers. */
  engagementScore: number;
  /** The points as they count now: they halve every 24 hours. The feed is in this order. */
  feedRank: number;
  mediaUrl: string;
  thumbnailUrl: string | null;
  caption: string | null;
  hashtags: string[];
  viewCount: number;
  likeCount: number;
  commentCount: number;
  shareCount: number;
  /** 1 to 100; null while nobody rated it. */
  avgRating: number | null;
  ratingCount: number;
  qualifiedViews: number;
  completeViews: number;
  isLikedByUser: boolean;
  /** 1 to 100. */
  myRating: number | null;
  /** Reading it costs nothing any more, or never did. */
  isPaid: boolean;
  isOwn: boolean;
  /** Its points count double until then. */
  boostedUntil: string | null;
  /** Its author used a priority slot: it comes first. */
  isPriority: boolean;
}

export class FeedDto {
  posts: PostDto[];
  /** A next page exists. */
  hasMore: boolean;
}

export class LikeDto {
  isLikedByUser: boolean;
  likeCount: number;
}

export class RatedPostDto {
  myRating: number;
  avgRating: number;
  ratingCount: number;
}

export class ScrollDto {
  /** 1 the first time, else 0. */
  novaDeducted: number;
  novaBalance: number;
}

export class ScoreDto {
  /** Points for what was done; 0 where it was counted before, or the post is one's own. */
  score: number;
  /** Of this UTC day, with level 1's 5 %. */
  dailyPoints: number;
}

export class StatusBarDto {
  dailyPoints: number;
  dailyGoal: number;
  @ApiProperty({ enum: [1, 2, 3] })
  currentLevel: EngagementLevel;
  /** Days in a row that reached the goal. */
  streakDays: number;
  /** Left today. */
  boostTokens: number;
  /** Left today. */
  prioritySlots: number;
}

export class BoostedDto {
  message: string;
  boostedUntil: string;
}

export class PriorityDto {
  message: string;
  until: string;
}
