import { isShownByDefault } from '@app/domain';
import type { Profile } from './profile-types';

/** `5.0` while there is no rating (rule profiles-6), then two decimals. */
export const ratingText = ({ averageRating, ratingCount }: Pick<Profile, 'averageRating' | 'ratingCount'>): string =>
  averageRating.toFixed(isShownByDefault(averageRating, ratingCount) ? 1 : 2);

const HOUR_MIN = 60;

/** The time to the first answer, in words. */
export function responseText(minutes: number): string {
  if (minutes < 1) return 'under 1 min';
  const whole = Math.round(minutes);
  if (whole < HOUR_MIN) return `${whole} min`;
  const rest = whole % HOUR_MIN;
  return rest === 0 ? `${whole / HOUR_MIN} h` : `${Math.floor(whole / HOUR_MIN)} h ${rest} min`;
}
