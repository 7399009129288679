import { readDayOrMoment } from '../../platform/day-or-moment.js';
import { dailyWindow, windowOf } from './reconciliation-window.js';

const NOW = new Date('2026-05-01T12:00:00Z');
const asked = (from?: string, to?: string, looked?: string) =>
  windowOf(
    { from: readDayOrMoment(from), to: readDayOrMoment(to) },
    NOW,
    looked === undefined ? undefined : new Date(looked),
  );

describe('the window of a reconciliation', () => {
  it('is what was asked for, days whole, and else the seven days up to its end', () => {
    const until = new Date('2026-02-01T00:00:00Z');
    expect(asked('2026-01-01', '2026-01-31')).toEqual({ from: new Date('2026-01-01T00:00:00Z'), until });
    expect(asked(undefined, '2026-01-31')).toEqual({ from: new Date('2026-01-25T00:00:00Z'), until });
    expect(asked()).toEqual({ from: new Date('2026-04-24T12:00:00Z'), until: NOW });
  });

  it('leaves no day out after days without a daily run', () => {
    expect(asked(undefined, undefined, '2026-04-01').from).toEqual(new Date('2026-04-01'));
    expect(asked(undefined, '2026-04-30', '2026-04-30').from).toEqual(new Date('2026-04-24'));
  });

  it.each([
    ['2026-02-01', '2026-01-31', 'The range ends before it begins.'],
    ['2026-05-02', undefined, 'The range ends before it begins.'],
    [undefined, '2026-05-02', 'The range ends in the future.'],
    ['2026-01-01', '2026-04-03', 'The range is longer than 92 days. Split it.'],
  ])('is refused from %s to %s', (from, to, sentence) => {
    expect(() => asked(from, to)).toThrow(expect.objectContaining({ statusCode: 400, message: sentence }));
  });
});

describe('the window of the daily look', () => {
  const until = new Date('2026-05-01T00:00:00Z');
  it.each([
    ['the first one', undefined, '2026-04-24'],
    ['one after that of yesterday', '2026-04-30', '2026-04-24'],
    ['one after a month without any', '2026-04-01', '2026-04-01'],
    ['one after half a year without any', '2025-11-01', '2026-01-29'],
  ])('leaves no day out: %s', (_, looked, from) => {
    expect(dailyWindow(until, looked === undefined ? undefined : new Date(looked))).toEqual({
      from: new Date(from),
      until,
    });
  });
});
