import { FiscalCalendar } from './fiscal-calendar.js';

const shown = ({ from, to }: { from: Date; to: Date }): string => `${from.toISOString()} ${to.toISOString()}`;

it.each([
  ['UTC', '2026-02', '2026-02-01T00:00:00.000Z 2026-02-28T23:59:59.999Z'],
  ['Europe/Berlin', '2026-03', '2026-02-28T23:00:00.000Z 2026-03-31T21:59:59.999Z'],
  ['America/New_York', '2026-12', '2026-12-01T05:00:00.000Z 2027-01-01T04:59:59.999Z'],
  // Clocks jumped over midnight on the first of October.
  ['America/Asuncion', '2017-10', '2017-10-01T04:00:00.000Z 2017-11-01T02:59:59.999Z'],
])('in %s, %s is %s', (zone, month, expected) => {
  expect(shown(new FiscalCalendar(zone).month(month))).toBe(expected);
});

it('counts days whole', () => {
  const berlin = new FiscalCalendar('Europe/Berlin');
  expect(shown(berlin.days('2026-03-29', '2026-03-29'))).toBe('2026-03-28T23:00:00.000Z 2026-03-29T21:59:59.999Z');
  expect(berlin.dayOf(new Date('2026-03-31T22:30:00Z'))).toBe('2026-04-01');
  expect(berlin.monthOf(new Date('2026-03-31T22:30:00Z'))).toBe('2026-04');
});

it.each([
  ['UTC', '2026-10'],
  ['Europe/Berlin', '2026-10'],
  ['America/New_York', '2026-09'],
])('in %s, the last month that is over with October in UTC is %s', (zone, expected) => {
  expect(new FiscalCalendar(zone).lastMonthBy(new Date('2026-10-31T23:59:59.999Z'))).toBe(expected);
});

it.each(['2026-13', '2026-2', '26-02', ''])('takes no month %p', (month) => {
  expect(() => new FiscalCalendar('UTC').month(month)).toThrow('A month is written like 2026-02.');
});

it.each([
  ['2026-02-30', '2026-03-01'],
  ['2026-03-02', '2026-03-01'],
])('takes no period from %s to %s', (first, last) => {
  expect(() => new FiscalCalendar('UTC').days(first, last)).toThrow(/A date is written|ends before/);
});
