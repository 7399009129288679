import { expect, test } from '@jest/globals';
import type { ChatMessage } from '@/shared/realtime';
import { firstUnreadOf, parseMarks, withMark } from './read-marks';

const said = (id: string, senderId: string, createdAt: string) =>
  ({ id, senderId, createdAt, clientMessageId: null }) as ChatMessage;

const TALK = [said('a', 'ann', '01'), said('b', 'hal', '02'), said('c', 'ann', '03'), said('d', 'ann', '04')];

test('what the other side said since one looked is unread, and nothing before one’s own last message', () => {
  expect(firstUnreadOf(TALK, 'hal', '')).toBe('c');
  expect(firstUnreadOf(TALK, 'hal', '03')).toBe('d');
  expect(firstUnreadOf(TALK, 'hal', '04')).toBeNull();
  expect(firstUnreadOf(TALK, 'ann', '')).toBeNull();
});

test('a mark never goes back, and a device remembers the hundred chats that were read last', () => {
  expect(withMark({ x: '05' }, 'x', '04')).toEqual({ x: '05' });
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`chat ${index}`, '01']));
  const marks = withMark(many, 'another', '02');
  expect(Object.keys(marks)).toHaveLength(100);
  expect(marks).toMatchObject({ another: '02', 'chat 1': '01' });
  expect(marks).not.toHaveProperty('chat 0');
});

test.each([null, 'no JSON', '5', 'null'])('a device that remembers nothing readable has no marks: %s', (stored) => {
  expect(parseMarks(stored)).toEqual({});
});
