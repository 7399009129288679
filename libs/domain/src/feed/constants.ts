import { DAY_MS } from '../day.js';

/** Numbers of cards and the feed (rules feed-6 to feed-11). */

/** Points for what a viewer does with another member's post: once per viewer, post and kind. */
export const ENGAGEMENT_POINTS = {
  impression: 0,
  qualified_view: 1,
  complete_view: 2,
  like: 3,
  rate: 4,
  share: 5,
} as const;
export type EngagementKind = keyof typeof ENGAGEMENT_POINTS;
/** Of a post. */
export const POST_RATING_MIN = 1;
export const POST_RATING_MAX = 100;
export const ENGAGEMENT_KINDS = Object.keys(ENGAGEMENT_POINTS) as readonly EngagementKind[];

/** Milliseconds in view (rule feed-7). */
export const QUALIFIED_VIEW_MS = 3_000;
export const COMPLETE_VIEW_MS = 10_000;
export const IMPRESSION_VISIBLE_SHARE = 0.5;

/** Stages of a post's promotion by its engagement score. */
const STAGE_B_SCORE = 25;
const STAGE_C_SCORE = 100;
export type PromotionStage = 'stage_a' | 'stage_b' | 'stage_c';

export const promotionStage = (score: number): PromotionStage => {
  if (score < STAGE_B_SCORE) return 'stage_a';
  return score < STAGE_C_SCORE ? 'stage_b' : 'stage_c';
};

/** Half-lives of a post's and a card's rank. */
export const POST_HALF_LIFE_MS = DAY_MS;
export const CARD_HALF_LIFE_MS = 7 * DAY_MS;
/** A new post's initial score in the feed's order, so that somebody sees it before it has any points. */
export const NEW_POST_WEIGHT = 1;

/** Factor and duration of a boost; a priority slot lasts as long. */
export const BOOST_FACTOR = 2;
export const PERK_MS = 60 * 60 * 1_000;

export const DAILY_POINTS_GOAL = 100;
/** Level 1's bonus on the day's points. */
const POINTS_BONUS_PERCENT = 5;
const LEVEL_2_STREAK_DAYS = 3;
const LEVEL_3_STREAK_DAYS = 7;
export type EngagementLevel = 1 | 2 | 3;

/** @param streakDays days in a row that reached the goal, up to today or yesterday */
export const engagementLevel = (streakDays: number): EngagementLevel => {
  if (streakDays >= LEVEL_3_STREAK_DAYS) return 3;
  return streakDays >= LEVEL_2_STREAK_DAYS ? 2 : 1;
};

/** A day's points with level 1's bonus, in hundredths: exact. */
export const withBonus = (points: number): number => points * (100 + POINTS_BONUS_PERCENT);
