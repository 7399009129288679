/** The shapes of cards and walls as the API sends them. Amounts are Nova, times ISO 8601. */

export type MediaType = 'image' | 'video';

export interface CardContent {
  id: string;
  contentType: MediaType;
  mediaUrl: string;
  thumbnailUrl: string | null;
  caption: string | null;
}

/** A member's card (S0 §3 User as profile card). */
export interface ProfileCard {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  profileCardThumbnailUrl: string | null;
  profileCardContent: CardContent | null;
  /** 0.00 to 9.99. */
  rating: number;
  ratingCount: number;
  followerCount: number;
  isOnline: boolean;
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
  cooldownUntil: string | null;
  isOwn: boolean;
  /** I have paid for the first upvote. */
  isUnlocked: boolean;
  wallCount: number;
}

export interface CardPage {
  profiles: ProfileCard[];
  hasMore: boolean;
}

export interface WallComment {
  id: string;
  comment: string;
  commenterName: string;
  commenter: { id: string; displayName: string; profileImageUrl: string | null };
  novaPaid: number;
  createdAt: string;
}

export interface WallPage {
  comments: WallComment[];
  nextCursor: string | null;
  total: number;
}
