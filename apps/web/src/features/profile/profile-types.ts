/** One's own profile (S1 §3 Profile). */
export interface Profile {
  id: string;
  displayName: string;
  bio: string | null;
  location: string | null;
  website: string | null;
  email: string;
  profileImageUrl: string | null;
  profileCardThumbnailUrl: string | null;
  profileCardContent: { url: string; type: string } | null;
  profileCardContentId: string | null;
  isOnline: boolean;
  allowDirectChats: boolean;
  /** US dollars. */
  minimumChatPrice: number;
  averageRating: number;
  ratingCount: number;
  /** Percent. */
  successRate: number;
  responseTimeMinutes: number;
  completedChats: number;
  /** Nova. */
  totalEarnings: number;
}

/** What Edit Profile changes. An empty text takes away what was there. */
export interface ProfileEdit {
  displayName: string;
  bio: string;
  location: string;
  website: string;
}

export type ChatSettings = Pick<Profile, 'isOnline' | 'allowDirectChats' | 'minimumChatPrice'>;
