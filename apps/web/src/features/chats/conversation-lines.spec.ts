import { expect, test } from '@jest/globals';
import { conversationLines, dayName } from './conversation-lines';
import type { ShownMessage } from './floating';

const said = (senderId: string, createdAt: string): ShownMessage => ({
  key: `${senderId} ${createdAt}`,
  text: 'Hello',
  senderId,
  createdAt,
  state: 'sent',
  clientMessageId: null,
  failure: null,
});

test('a day begins with its first message, and a group with a change of side or a pause of five minutes', () => {
  const lines = conversationLines([
    said('ann', '2026-03-01T23:58:00.000Z'),
    said('ann', '2026-03-01T23:59:00.000Z'),
    said('ann', '2026-03-02T00:00:00.000Z'),
    said('hal', '2026-03-02T00:00:30.000Z'),
    said('hal', '2026-03-02T00:05:29.000Z'),
    said('hal', '2026-03-02T00:10:30.000Z'),
  ]);
  expect(lines.map(({ beginsDay }) => beginsDay)).toEqual([true, false, true, false, false, false]);
  expect(lines.map(({ beginsGroup }) => beginsGroup)).toEqual([true, false, true, true, false, true]);
});

test.each([
  ['2026-03-10T00:00:01.000Z', 'Today'],
  ['2026-03-10T23:59:59.000Z', 'Today'],
  ['2026-03-09T23:59:59.000Z', 'Yesterday'],
  ['2026-03-05T12:00:00.000Z', 'Thursday'],
  ['2026-03-03T12:00:00.000Z', 'Mar 3, 2026'],
])('%s is named %s', (iso, name) => {
  expect(dayName(iso, Date.parse('2026-03-10T12:00:00.000Z'))).toBe(name);
});
