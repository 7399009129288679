import { expect, test } from '@jest/globals';
import { payoutDate } from './payout-date';

test('MMM dd, yyyy • h:mm a', () => {
  const local = (hour: number) => new Date(2026, 1, 3, hour, 7).toISOString();
  expect(payoutDate(local(15))).toBe('Feb 03, 2026 • 3:07 PM');
  expect(payoutDate(local(0))).toBe('Feb 03, 2026 • 12:07 AM');
});
