import { validateSync } from 'class-validator';
import { IsNovaAmount, NovaWithin, toMinor, toNova } from './nova-amount.js';

class Dto {
  @NovaWithin({ min: 100_000n, max: 100_000_000n }, 'out of range')
  @IsNovaAmount()
  amount: unknown;
}

const refused = (amount: unknown): boolean => validateSync(Object.assign(new Dto(), { amount })).length > 0;

describe('amounts as the API takes them', () => {
  it.each([1000, 1000.01, 1000.1, 999_999.99, 1_000_000, 1e3])('takes %p', (amount) =>
    expect(refused(amount)).toBe(false),
  );

  it.each([
    999.99,
    1_000_000.01,
    0,
    -1000,
    -0,
    1000.001,
    1000.000_000_1,
    Number.NaN,
    Infinity,
    1e21,
    2 ** 53,
    '1000',
    '1e3',
    '',
    true,
    null,
    undefined,
    [1000],
    { amount: 1000 },
    1000n,
  ])('refuses %p', (amount) => expect(refused(amount)).toBe(true));

  it('is exact both ways', () => {
    for (const minor of [1n, 10n, 99n, 100_029n, 123_456_789n, 900_719_925_474_099n])
      expect(toMinor(toNova(minor))).toBe(minor);
    expect(toMinor(1.1)).toBe(110n);
    expect(toMinor(4.35)).toBe(435n);
    expect(toNova(-150n)).toBe(-1.5);
  });
});
