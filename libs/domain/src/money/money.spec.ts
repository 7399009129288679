import * as fc from 'fast-check';
import { AMOUNT_MAX } from '../ledger/constants.js';
import { CURRENCIES } from '../ledger/currencies.js';
import { InvalidMoney, Money, splitByWeights } from './money.js';

const currency = fc.constantFrom(...CURRENCIES);
/** As large as 18 digits before the point can be. */
const minor = fc.bigInt(-(10n ** 18n) + 1n, 10n ** 18n - 1n);

describe('parse', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['-0.00', 0n],
    ['1250', 125_000n],
    ['1,250', 125_000n],
    ['12,500', 1_250_000n],
    ['-125,000.25', -12_500_025n],
    ['1,250,000.5', 125_000_050n],
    ['-0.5', -50n],
    ['12.34', 1_234n],
    [' 7 ', 700n],
    ['007', 700n],
    ['999999999999999999.99', 99_999_999_999_999_999_999n],
  ])('%s', (text, expected) => {
    expect(Money.parse(text).minor).toBe(expected);
  });

  test.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '1.234',
    '1,25',
    '12,50.00',
    '1,2500',
    '1250,000',
    '1,250.',
    '1,250.125',
    ',250',
    '1 250',
    '+5',
    '--5',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '١٢',
    '5\n6',
    '1'.repeat(19),
  ])('"%s" is no amount', (text) => {
    expect(() => Money.parse(text)).toThrow(InvalidMoney);
  });

  test('a refusal quotes what was refused', () => {
    expect(() => Money.parse('12.345')).toThrow('"12.345" is not an amount with at most 2 decimals');
    expect(() => Money.parse('many')).toThrow(expect.objectContaining({ name: 'InvalidMoney' }));
    expect(() => Money.fromNumber(Infinity)).toThrow('Infinity is not an amount');
  });

  test('a currency without parts has none', () => {
    expect(Money.parse('5.00', 'KARMA').minor).toBe(5n);
    expect(() => Money.parse('0.5', 'KARMA')).toThrow('KARMA has no such fraction as "0.5"');
    expect(() => Money.parse('0.01', 'INFLUENCE')).toThrow(InvalidMoney);
  });

  test('any text is read or refused with InvalidMoney', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-,.0-9]{0,12}$/)), (text) => {
        try {
          Money.parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidMoney);
        }
      }),
    );
  });
});

test('what is printed is read back, for people and for exports', () => {
  fc.assert(
    fc.property(minor, currency, (value, of) => {
      const money = Money.ofMinor(value, of);
      expect(Money.parse(money.toDecimal(), of).minor).toBe(value);
      expect(Money.parse(money.toString(), of).minor).toBe(value);
    }),
  );
});

test.each([
  [0n, '0.00', '0.00'],
  [-1n, '-0.01', '-0.01'],
  [99_999n, '999.99', '999.99'],
  [100_000n, '1000.00', '1,000.00'],
  [-100_000n, '-1000.00', '-1,000.00'],
  [123_456_789_012n, '1234567890.12', '1,234,567,890.12'],
])('%d minor units print as %s and %s', (value, decimal, text) => {
  expect(Money.ofMinor(value).toDecimal()).toBe(decimal);
  expect(Money.ofMinor(value).toString()).toBe(text);
});

test('whole tokens print without a point', () => {
  expect(Money.ofMinor(1_234n, 'KARMA').toString()).toBe('1,234');
  expect(Money.ofMinor(-1_234n, 'INFLUENCE').toDecimal()).toBe('-1234');
});

describe('fromNumber', () => {
  test.each([
    [0, 0n],
    [-0, 0n],
    [0.1, 10n],
    [0.29, 29n],
    [1.1, 110n],
    [-2.5, -250n],
    [1.15, 115n],
    [4.35, 435n],
    [1_000_000, 100_000_000n],
    [70_368_744_177_663.99, 7_036_874_417_766_399n],
    [45_035_996_273_704.97, 4_503_599_627_370_497n],
  ])('%d', (value, expected) => {
    expect(Money.fromNumber(value).minor).toBe(expected);
  });

  test.each([
    0.1 + 0.2,
    1.005,
    0.001,
    1e-7,
    5e-324,
    2 ** 46,
    -(2 ** 46),
    Number('84500432677131.57'),
    2 ** 53,
    1e21,
    -1e21,
    Number.MAX_VALUE,
    Number.NaN,
    Infinity,
    -Infinity,
  ])('%d is no amount', (value) => {
    expect(() => Money.fromNumber(value)).toThrow(InvalidMoney);
  });

  test('every amount that a double holds to two decimals comes back', () => {
    const safe = fc.bigInt(-AMOUNT_MAX, AMOUNT_MAX);
    fc.assert(
      fc.property(fc.oneof(safe, fc.bigInt(-1_000_000n, 1_000_000n)), (value) => {
        expect(Money.fromNumber(Money.ofMinor(value).toNumber()).minor).toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });

  test('any number is read as it prints, or refused with InvalidMoney', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        try {
          expect(Money.fromNumber(value).toNumber()).toBe(value + 0);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidMoney);
        }
      }),
    );
  });

  test('parts of a whole token are refused', () => {
    expect(Money.fromNumber(3, 'KARMA').minor).toBe(3n);
    expect(() => Money.fromNumber(0.5, 'KARMA')).toThrow(InvalidMoney);
  });
});

describe('split', () => {
  test.each<[bigint, bigint[], bigint[]]>([
    [100n, [50n, 50n], [50n, 50n]],
    [101n, [50n, 50n], [51n, 50n]],
    [7n, [50n, 10n, 10n, 30n], [3n, 1n, 1n, 2n]],
    [1n, [50n, 10n, 10n, 30n], [1n, 0n, 0n, 0n]],
    [2n, [1n, 1n, 1n], [1n, 1n, 0n]],
    [5n, [0n, 1n, 0n], [0n, 5n, 0n]],
    [10n, [1n, 2n, 3n], [2n, 3n, 5n]],
    [0n, [1n, 2n], [0n, 0n]],
  ])('%d by %p is %p', (value, weights, parts) => {
    expect(splitByWeights(value, weights)).toEqual(parts);
  });

  const weights = fc
    .array(fc.bigInt(0n, 1_000n), { minLength: 1, maxLength: 8 })
    .filter((list) => list.some((w) => w > 0n));

  test('loses and makes nothing, and no part is a whole unit away from its share', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), weights, (value, list) => {
        const parts = splitByWeights(value, list);
        const total = list.reduce((sum, weight) => sum + weight, 0n);
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(value);
        parts.forEach((part, n) => {
          const off = part * total - value * list[n]!;
          expect(off < total && -off < total).toBe(true);
        });
      }),
    );
  });

  test('what is left over goes to the largest remainders; ties in the listed order', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10_000n), weights, (value, list) => {
        const parts = splitByWeights(value, list);
        const total = list.reduce((sum, weight) => sum + weight, 0n);
        const lost = list.map((weight) => (value * weight) % total);
        const extra = parts.map((part, n) => part - (value * list[n]!) / total);
        for (let a = 0; a < list.length; a++) {
          for (let b = 0; b < list.length; b++) {
            const before = lost[a]! > lost[b]! || (lost[a] === lost[b] && a < b);
            if (before) expect(extra[a]! >= extra[b]!).toBe(true);
          }
        }
      }),
    );
  });

  test.each<[bigint, bigint[]]>([
    [-1n, [1n]],
    [1n, []],
    [1n, [0n, 0n]],
    [1n, [2n, -1n]],
  ])('%d by %p is refused', (value, list) => {
    expect(() => splitByWeights(value, list)).toThrow(InvalidMoney);
    expect(() => splitByWeights(value, list)).toThrow(`cannot split ${value} by ${list.join(':')}`);
  });
});
