import { ApiProperty } from '@nestjs/swagger';

export const MEDIA_TYPES = ['image', 'video'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

export class CardContentDto {
  @ApiProperty({ enum: MEDIA_TYPES })
  contentType: MediaType;
  mediaUrl: string;
  caption: string | null;
}

/** S0 §3 User as profile card. What members say about themselves comes with their profiles: until then it is empty. */
export class ProfileCardDto {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  profileCardThumbnailUrl: string | null;
  profileCardContent: CardContentDto | null;
  mediaUrl: string | null;
  /** 0.00 to 9.99. */
  rating: number;
  ratingCount: number;
  followerCount: number;
  followingCount: number;
  /** Connected, and shown online by their own choice. */
  isOnline: boolean;
  /** @example blue */
  mood: string;
  status: string | null;
  occupation: string | null;
  ambitions: string | null;
  relationshipStatus: string | null;
  /** 0 to 100; null without a Resonance profile on both sides. */
  compatibilityScore: number | null;
  /** US dollars. */
  minimumChatPrice: number;
  allowDirectChats: boolean;
  /** When this member can be asked for a chat again; null for now. */
  cooldownUntil: string | null;
}

export class DiscoveryFeedDto {
  profiles: ProfileCardDto[];
  /** How many there are in all. */
  total: number;
}
