import { monthInWords, readMonth } from './month.js';

test('a month reaches from its first day to the first day of the next, in UTC', () => {
  expect(readMonth('2026-12')).toEqual({
    name: '2026-12',
    start: new Date('2026-12-01T00:00:00.000Z'),
    end: new Date('2027-01-01T00:00:00.000Z'),
  });
  expect(readMonth('2024-02')?.end).toEqual(new Date('2024-03-01T00:00:00.000Z'));
});

test.each(['', '2026', '2026-1', '2026-00', '2026-13', '2026-01-01', '0000-01', '99999-01', ' 2026-01', 202_601, null])(
  'there is no month %p',
  (text) => {
    expect(readMonth(text)).toBeUndefined();
  },
);

test('in words it has its year', () => {
  const month = readMonth('2026-11');
  expect(month && monthInWords(month)).toBe('November 2026');
});
