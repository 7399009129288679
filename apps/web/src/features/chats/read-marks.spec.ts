import { expect, test } from '@jest/globals';
import type { ChatMessage } from '@/shared/realtime';
import { firstUnreadOf } from './read-marks';

const said = (id: string, senderId: string, createdAt: string) =>
  ({ id, senderId, createdAt, clientMessageId: null }) as ChatMessage;

const TALK = [said('a', 'ann', '01'), said('b', 'hal', '02'), said('c', 'ann', '03'), said('d', 'ann', '04')];

test('what the other side said since one looked is unread, and nothing before one’s own last message', () => {
  expect(firstUnreadOf(TALK, 'hal', '')).toBe('c');
  expect(firstUnreadOf(TALK, 'hal', '03')).toBe('d');
  expect(firstUnreadOf(TALK, 'hal', '04')).toBeNull();
  expect(firstUnreadOf(TALK, 'ann', '')).toBeNull();
});
