import { chargeCents, reversedNova } from './pricing.js';

describe('the price of a top-up', () => {
  it.each([
    [1_250, 100],
    [1_251, 101],
    [1_262, 101],
    [1_263, 102],
    [2_500, 200],
    [5_000, 400],
    [9_999_999, 800_000],
    [10_000_000, 800_000],
  ])('%d Nova cost %d cents', (nova, cents) => expect(chargeCents(nova)).toBe(cents));

  it('never charges less than the rate, and at most a cent more', () => {
    for (let nova = 1_250; nova < 40_000; nova += 7) {
      const cents = chargeCents(nova);
      expect(cents * 1_250).toBeGreaterThanOrEqual(nova * 100);
      expect((cents - 1) * 1_250).toBeLessThan(nova * 100);
    }
  });
});

describe('what a refund reverses', () => {
  const purchase = { purchased: 125_100n, chargedCents: 101 };

  it('is in proportion, and all at the end', () => {
    expect(reversedNova({ ...purchase, returnedCents: 1 })).toBe(1_238n);
    expect(reversedNova({ ...purchase, returnedCents: 50 })).toBe(61_930n);
    expect(reversedNova({ ...purchase, returnedCents: 101 })).toBe(125_100n);
  });

  it('adds up to the purchase cent by cent', () => {
    let total = 0n;
    for (let cents = 1; cents <= 101; cents++) total += reversedNova({ ...purchase, returnedCents: cents }) - total;
    expect(total).toBe(125_100n);
  });

  it('is never more than was bought', () => {
    expect(reversedNova({ ...purchase, returnedCents: 500 })).toBe(125_100n);
  });
});
