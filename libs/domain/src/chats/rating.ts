/** A member's rating as shown to everybody, and its inputs. */
export interface MemberRating {
  /** Mean of what the member was given, ÷ 10, or what an admin set; not rounded (rule ratings-5). Null without either. */
  readonly value: number | null;
  /** How many ratings the member was given. */
  readonly count: number;
}

export const MEMBER_RATING_MAX = 9.99;
/** The rating of a member whom nobody has rated yet (rule profiles-6). */
export const RATING_SHOWN_BY_DEFAULT = 5;

/** Whether a rating is only the one shown by default: nobody has rated the member, and no admin set another. */
export const isShownByDefault = (rating: number, ratingCount: number): boolean =>
  ratingCount === 0 && rating === RATING_SHOWN_BY_DEFAULT;

export const NOT_RATED: MemberRating = { value: null, count: 0 };

/**
 * The mean after one more rating. An admin's change replaces all earlier ratings, or counts as one if there were none:
 * the next rating is averaged from there.
 * @param rating 1 to 100
 */
export function nextRating({ value, count }: MemberRating, rating: number): MemberRating {
  const before = value === null ? 0 : Math.max(count, 1);
  return { value: ((value ?? 0) * before + rating / 10) / (before + 1), count: count + 1 };
}

/** With two decimals, at most 9.99. */
export const shownMemberRating = (value: number): number => Math.min(Math.round(value * 100) / 100, MEMBER_RATING_MAX);
