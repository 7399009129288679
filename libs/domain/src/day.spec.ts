import { nextUtcDayMs, utcDay } from './day.js';

describe('the UTC day', () => {
  it.each([
    ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
    ['2026-11-21T23:59:59.999Z', '2026-11-22T00:00:00.000Z'],
    ['2026-12-31T12:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ])('of %s ends at %s', (time, end) => {
    expect(new Date(nextUtcDayMs(Date.parse(time))).toISOString()).toBe(end);
    expect(utcDay(Date.parse(end) - 1)).toBe(time.slice(0, 10));
  });
});
