import { MESSAGE_CHARACTERS_MAX } from '@app/domain';
import { formatCount } from '@/shared/api/nova';

/** The counter appears when this many characters are left. */
const COUNT_FROM = 200;

/** The note under the message field. @param left characters that it may still take, below zero when it has too many */
export function messageNote(isConnected: boolean, left: number): string {
  if (left < 0) return `${characters(-left)} too many: a message holds ${formatCount(MESSAGE_CHARACTERS_MAX)}.`;
  if (!isConnected) return 'Not connected. Reconnecting by itself; nothing you sent is lost.';
  if (left <= COUNT_FROM) return `${characters(left)} left.`;
  return 'Enter sends, Shift+Enter begins a new line.';
}

const characters = (count: number): string => `${formatCount(count)} ${count === 1 ? 'character' : 'characters'}`;
