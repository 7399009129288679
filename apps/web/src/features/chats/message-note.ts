import { MESSAGE_CHARACTERS_MAX } from '@app/domain';
import { formatCount } from '@/shared/api/nova';

/** The counter appears when this many characters are left. */
const COUNT_FROM = 200;

/** How a keyboard sends; a phone has no use for it. */
export const KEYS_HINT = 'Enter sends, Shift+Enter begins a new line.';

/** The note under the message field. @param left characters that it may still take, below zero when it has too many */
export function messageNote(left: number): string {
  if (left < 0) return `${characters(-left)} too many: a message holds ${formatCount(MESSAGE_CHARACTERS_MAX)}.`;
  return left <= COUNT_FROM ? `${characters(left)} left.` : KEYS_HINT;
}

const characters = (count: number): string => `${formatCount(count)} ${count === 1 ? 'character' : 'characters'}`;

/** Why nothing is sent at present. */
export const lineTrouble = (isOnline: boolean): string =>
  isOnline
    ? 'Connecting… What you write goes out as soon as the line is back.'
    : 'You are offline. What you write waits here and goes out when you are back.';
