import { describe, expect, it } from '@jest/globals';
import { addNova, formatNova, formatUsdCents, novaPriceCents, novaToMinor, parseNova } from './nova';

describe('parseNova', () => {
  it.each([
    ['1250', 1250],
    ['1,250', 1250],
    [' 1 250.5 ', 1250.5],
    ['10,000,000.00', 10_000_000],
    ['1\u00A0250', 1250],
    ['+2500', 2500],
    ['1,250 Nova', 1250],
    ['0.01', 0.01],
    ['5.', 5],
  ])('reads %j as %d', (text, nova) => {
    expect(parseNova(text)).toBe(nova);
  });

  it.each(['', 'abc', '-5', '1,25', '12,50', '1.234', '1e6', '1,250,00', 'Infinity', '99999999999999999999', '.5'])(
    'refuses %j',
    (text) => {
      expect(parseNova(text)).toBeNull();
    },
  );
});

describe('formatNova', () => {
  it('shows two decimals and groups', () => {
    expect(formatNova(12_500)).toBe('12,500.00');
    expect(formatNova(0.1 + 0.2)).toBe('0.30');
    expect(formatNova(0)).toBe('0.00');
  });

  it('drops the decimals of whole amounts on request only', () => {
    expect(formatNova(1000, { decimals: 'trim' })).toBe('1,000');
    expect(formatNova(1000.5, { decimals: 'trim' })).toBe('1,000.50');
  });

  it('writes the sign that statements need', () => {
    expect(formatNova(5, { sign: 'always' })).toBe('+5.00');
    expect(formatNova(-5, { sign: 'always' })).toBe('−5.00');
    expect(formatNova(0, { sign: 'always' })).toBe('0.00');
    expect(formatNova(-1_234_567.89)).toBe('−1,234,567.89');
  });
});

describe('amounts in minor units', () => {
  it('are exact for every amount of cents', () => {
    const minors = Array.from({ length: 100_000 }, (_, minor) => minor);
    expect(minors.filter((minor) => novaToMinor(minor / 100) !== minor)).toEqual([]);
    expect(addNova(0.1, 0.2)).toBe(0.3);
  });
});

describe('the price of Nova', () => {
  it.each([
    [1250, 100],
    [2500, 200],
    [5000, 400],
    [1251, 101],
    [10_000_000, 800_000],
  ])('%d Nova cost %d cents, rounded up', (nova, cents) => {
    expect(novaPriceCents(nova)).toBe(cents);
  });

  it('is shown in dollars', () => {
    expect(formatUsdCents(800_000)).toBe('$8,000.00');
  });
});
