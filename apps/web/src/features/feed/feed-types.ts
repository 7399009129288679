/** S0 §3 Post, as its viewer sees it. */
export interface Post {
  id: string;
  authorId: string;
  author: PostAuthor;
  contentType: 'image' | 'video';
  createdAt: string;
  promotionStage: 'stage_a' | 'stage_b' | 'stage_c';
  engagementScore: number;
  feedRank: number;
  mediaUrl: string;
  thumbnailUrl: string | null;
  caption: string | null;
  hashtags: string[];
  viewCount: number;
  likeCount: number;
  commentCount: number;
  shareCount: number;
  /** 1 to 100; null while nobody has rated it. */
  avgRating: number | null;
  ratingCount: number;
  qualifiedViews: number;
  completeViews: number;
  isLikedByUser: boolean;
  myRating: number | null;
  /** Reading it costs nothing any more, or never did. */
  isPaid: boolean;
  isOwn: boolean;
  /** Its points count double until then. */
  boostedUntil: string | null;
  /** Its author used a priority slot. */
  isPriority: boolean;
}

export interface PostAuthor {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  rating: number;
  isOnline: boolean;
}

export interface FeedPage {
  posts: Post[];
  hasMore: boolean;
}

/** S0 §3 Status bar. */
export interface StatusBar {
  /** With level 1's bonus: up to two decimals. */
  dailyPoints: number;
  dailyGoal: number;
  currentLevel: 1 | 2 | 3;
  streakDays: number;
  /** Left today. */
  boostTokens: number;
  /** Left today. */
  prioritySlots: number;
}

export type ViewEventType = 'impression' | 'qualified_view' | 'complete_view';
export type EngagementEventType = ViewEventType | 'like' | 'rate' | 'share';

/** `POST /api/events` (S0 §7). */
export interface EngagementEvent {
  postId: string;
  authorId: string;
  eventType: EngagementEventType;
  /** Milliseconds in view. */
  dwellTime?: number;
  /** 0 to 100, of a video. */
  watchPercent?: number;
  /** Of a rating: the rating. */
  eventValue?: number;
}

/** `score` is 0 where it was counted before, or the post is one's own. */
export interface EngagementScore {
  score: number;
  dailyPoints: number;
}

export interface ScrollPaid {
  novaDeducted: number;
  novaBalance: number;
}
