import { expect, test } from '@jest/globals';
import { statementMonths } from './statement-months';

test('the months go from this one back to the one in which the member joined, in UTC', () => {
  expect(statementMonths('2025-11-30T23:59:59.999Z', Date.UTC(2026, 1, 1))).toEqual([
    { value: '2026-02', label: 'February 2026, so far' },
    { value: '2026-01', label: 'January 2026' },
    { value: '2025-12', label: 'December 2025' },
    { value: '2025-11', label: 'November 2025' },
  ]);
});

test.each(['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'])('there is always this month: %s', (joinedAt) => {
  expect(statementMonths(joinedAt, Date.UTC(2026, 1, 28)).map(({ value }) => value)).toEqual(['2026-02']);
});
