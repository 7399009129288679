import { ApiProperty } from '@nestjs/swagger';
import { MOODS, RELATIONSHIP_STATUSES } from '@app/domain';

export const MEDIA_TYPES = ['image', 'video'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

export class CardMediaDto {
  id: string;
  @ApiProperty({ enum: MEDIA_TYPES })
  contentType: MediaType;
  mediaUrl: string;
  /** Of a video its poster frame. */
  thumbnailUrl: string | null;
  caption: string | null;
  /** The same as `mediaUrl`. */
  url: string;
  /** The media type. @example video/mp4 */
  type: string;
}

/** A member's card (rule discovery-1). */
export class ProfileCardDto {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  profileCardThumbnailUrl: string | null;
  profileCardContent: CardMediaDto | null;
  mediaUrl: string | null;
  /** 0.00 to 9.99. */
  rating: number;
  ratingCount: number;
  followerCount: number;
  followingCount: number;
  /** Connected, and shown online by their own choice; on one's own card the choice alone. */
  isOnline: boolean;
  @ApiProperty({ enum: MOODS })
  mood: string;
  status: string | null;
  occupation: string | null;
  ambitions: string | null;
  @ApiProperty({ enum: RELATIONSHIP_STATUSES, nullable: true })
  relationshipStatus: string | null;
  /** 0 to 100; null without a Resonance profile on both sides. */
  compatibilityScore: number | null;
  /** US dollars. */
  minimumChatPrice: number;
  allowDirectChats: boolean;
  /** When this member can be asked for a chat again; null for now. */
  cooldownUntil: string | null;
  /** One's own card. */
  isOwn: boolean;
  /** One has unlocked it: further upvotes are gifts. */
  isUnlocked: boolean;
  /** Comments on the wall. */
  wallCount: number;
  /** On one's own card only. */
  novaBalance?: number;
  /** On one's own card only. */
  isAdmin?: boolean;
}

export class DiscoveryFeedDto {
  profiles: ProfileCardDto[];
  /** A next page exists. */
  hasMore: boolean;
  /**
   * With the first page, and with the cards of `ids`: who is shown online and passes the other filters, oneself left
   * out, in the order of the cards; at most 300 ids.
   */
  online?: string[];
}

export class UpvotedDto {
  message: string;
  /** The first upvote unlocks, later ones are gifts. */
  @ApiProperty({ enum: ['unlock', 'upvote'] })
  kind: 'unlock' | 'upvote';
  novaDeducted: number;
  novaBalance: number;
  /** 0 to 100; null without a Resonance profile on both sides. */
  compatibilityScore: number | null;
  /** The card rose in the order. */
  positionChanged: boolean;
}

export class NavigatedDto {
  message: string;
  novaDeducted: number;
  novaBalance: number;
}
