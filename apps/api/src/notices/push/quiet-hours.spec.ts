import { secondsUntilQuiet } from './quiet-hours.js';

const HOUR = 3_600;
const NIGHT = { from: 22 * 60, to: 7 * 60, timeZone: 'Europe/Berlin' };

describe('quiet hours', () => {
  it.each([
    ['before midnight', NIGHT, '2026-01-15T22:30:00Z', 0],
    ['after midnight', NIGHT, '2026-01-15T02:00:00Z', 0],
    ['in their last minute', NIGHT, '2026-01-15T05:59:59Z', 0],
    ['in the minute after', NIGHT, '2026-01-15T06:00:00Z', 15 * HOUR],
    ['a second before they begin', NIGHT, '2026-01-15T20:59:59Z', 1],
    ['by the clock of summer', NIGHT, '2026-07-15T20:00:00Z', 0],
    ['over the change of clocks', { ...NIGHT, from: 12 * 60, to: 13 * 60 }, '2026-03-28T17:00:00Z', 17 * HOUR],
    ['within a day', { ...NIGHT, from: 540, to: 600 }, '2026-01-15T08:30:00Z', 0],
    ['in a zone of a quarter of an hour', { ...NIGHT, timeZone: 'Asia/Kathmandu' }, '2026-01-15T16:15:00Z', 0],
    ['a minute before that', { ...NIGHT, timeZone: 'Asia/Kathmandu' }, '2026-01-15T16:14:00Z', 60],
    ['a day ahead', { ...NIGHT, timeZone: 'Pacific/Kiritimati' }, '2026-01-15T08:00:00Z', 0],
    ['of one moment, never', { ...NIGHT, to: NIGHT.from }, '2026-01-15T21:00:00Z', Infinity],
    ['in a zone that nobody knows, by UTC', { ...NIGHT, timeZone: 'Mars/Olympus' }, '2026-01-15T22:00:00Z', 0],
  ])('%s', (_, hours, at, seconds) => {
    expect(secondsUntilQuiet(hours, Date.parse(at))).toBe(seconds);
  });
});
