/** A member's rating as everybody sees it, and what it is made from. */
export interface MemberRating {
  /** Mean of what the member was given, ÷ 10; 0 to 9.99, not rounded (S1 §9 Ratings). */
  readonly value: number;
  /** How many ratings the mean is over. */
  readonly count: number;
}

const RATING_MAX = 9.99;
/** Of a member whom nobody has rated yet (S1 §9; `decisions.md`, Profile defaults). */
export const RATING_SHOWN_BY_DEFAULT = 5;

/**
 * The mean with one rating more. An admin's change stands in for all ratings before it: the next one is averaged from there.
 * @param rating 1 to 100
 */
export function nextRating(before: MemberRating | undefined, rating: number): MemberRating {
  const { value, count } = before ?? { value: 0, count: 0 };
  return { value: (value * count + rating / 10) / (count + 1), count: count + 1 };
}

/** With two decimals, at most 9.99. */
export const shownMemberRating = (value: number): number => Math.min(Math.round(value * 100) / 100, RATING_MAX);
