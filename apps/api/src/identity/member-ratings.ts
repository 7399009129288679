import { RATING_SHOWN_BY_DEFAULT } from './limits.js';

/** For members `a` of `accounts`: their ratings as `r`, where anybody has rated them (read model `ratings`). */
export const JOIN_RATINGS = 'left join read.member_ratings r on r.user_id = a.id::text';

/** Columns of that: decimal text, null until somebody rated; and how many did. */
export const RATING_COLUMNS = 'r.value as rating, coalesce(r.count, 0) as rating_count';

/** As everybody sees it, 0.00 to 9.99 (rule ratings-5). */
export const shownRating = (rating: string | null): number =>
  rating === null ? RATING_SHOWN_BY_DEFAULT : Number(rating);
