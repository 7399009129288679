import * as fc from 'fast-check';
import { POOL_SCALE } from './constants.js';
import { EMPTY_POOL, changeShares, deposit, owed, owedScaled, payOut, type Holder, type Pool } from './pools.js';
import { Fraction } from './testing/fraction.js';
import { ModelPool } from './testing/model.js';

/** A pool with its holders, settled as often or as seldom as a test likes, beside one that pays exact fractions at once. */
class Run {
  pool: Pool = EMPTY_POOL;
  readonly holders = new Map<number, Holder>();
  readonly exact = new ModelPool();
  changes = 0n;

  deposit(amount: bigint): void {
    if (this.pool.shares === 0n) return;
    this.pool = deposit(this.pool, amount);
    this.exact.deposit(amount);
    this.changes++;
  }

  collect(user: number): void {
    const holder = this.holders.get(user);
    if (!holder) return;
    const amount = owed(this.pool, holder);
    const paid = payOut(this.pool, holder, amount);
    this.pool = paid.pool;
    this.holders.set(user, paid.holder);
    this.exact.pay(String(user), amount);
  }

  change(user: number, delta: bigint): void {
    const before = this.holders.get(user)?.shares ?? 0n;
    if (before + delta < 0n || delta === 0n) return;
    this.collect(user);
    const { pool, holder } = changeShares(this.pool, this.holders.get(user), delta);
    this.pool = pool;
    if (holder) this.holders.set(user, holder);
    else this.holders.delete(user);
    const rest = this.exact.change(String(user), delta);
    if (pool.shares === 0n) {
      expect(pool.balance).toBe(rest);
      this.pool = { ...pool, balance: 0n };
    }
    this.changes++;
  }

  check(): void {
    let [whole, scaled] = [0n, this.pool.remainder];
    for (const [user, holder] of this.holders) {
      whole += owed(this.pool, holder);
      scaled += owedScaled(this.pool, holder);
      const exact = this.exact.owed(String(user)) ?? Fraction.ZERO;
      this.within(exact.minus(Fraction.of(owedScaled(this.pool, holder), POOL_SCALE)), 0n);
      this.within(exact.minus(Fraction.of(owed(this.pool, holder))), 1n);
    }
    const rest = this.pool.balance - whole;
    if (scaled !== this.pool.balance * POOL_SCALE) throw new Error('the pool owes more or less than it holds');
    if (rest < 0n || rest > BigInt(this.holders.size) + 1n) throw new Error(`remainder ${rest}`);
  }

  /** −ε < behind < units + ε, where ε is the scale's error: 10^-12 a share for every deposit and change of shares. */
  private within(behind: Fraction, units: bigint): void {
    const error = Fraction.of((this.pool.shares + 1n) * (this.changes + 1n) * 8n, POOL_SCALE);
    if (behind.lessThan(Fraction.ZERO.minus(error)) || !behind.lessThan(Fraction.of(units).plus(error))) {
      throw new Error(`${behind.toString()} behind exact payout at once`);
    }
  }
}

type Act =
  { do: 'deposit'; amount: bigint } | { do: 'change'; user: number; delta: bigint } | { do: 'collect'; user: number };
const user = fc.nat(5);
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('deposit' as const), amount: fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 10n ** 15n)) }),
  fc.record({ do: fc.constant('change' as const), user, delta: fc.bigInt(-4n, 4n) }),
  fc.record({ do: fc.constant('collect' as const), user }),
);

test('paid + owed is less than one unit a holder from exact payout at once, however often anybody collects', () => {
  fc.assert(
    fc.property(fc.array(anyAct, { maxLength: 80, size: 'max' }), (acts) => {
      const run = new Run();
      for (const act of acts) {
        if (act.do === 'deposit') run.deposit(act.amount);
        if (act.do === 'change') run.change(act.user, act.delta);
        if (act.do === 'collect') run.collect(act.user);
        run.check();
      }
    }),
    { numRuns: 200 },
  );
});

test('how often a holder collects makes no difference of a whole unit', () => {
  const amounts = fc.array(fc.bigInt(1n, 1_000n), { minLength: 1, maxLength: 60, size: 'max' });
  fc.assert(
    fc.property(amounts, fc.bigInt(1n, 9n), fc.bigInt(1n, 9n), (deposits, mine, others) => {
      const totals = [1, 3, deposits.length].map((every) => {
        const run = new Run();
        run.change(1, mine);
        run.change(2, others);
        let paid = 0n;
        deposits.forEach((amount, n) => {
          run.deposit(amount);
          if ((n + 1) % every) return;
          paid += owed(run.pool, run.holders.get(1)!);
          run.collect(1);
        });
        return paid + owed(run.pool, run.holders.get(1)!);
      });
      expect(new Set(totals).size).toBe(1);
    }),
    { numRuns: 100 },
  );
});

test('four hundred holders of whom nearly all leave between two deposits: the remainder stays within holders + 1', () => {
  const run = new Run();
  const [holders, kept] = [400, 3];
  for (let n = 0; n < holders; n++) run.change(n, BigInt(1 + (n % 7)));
  run.deposit(1_000_003n);
  for (let n = holders - 1; n >= kept; n--) {
    run.change(n, -BigInt(1 + (n % 7)));
    if (n % 50 === 0 || n < 10) run.check();
  }
  run.deposit(7n);
  run.check();
  for (let n = 0; n < kept; n++) run.change(n, -BigInt(1 + (n % 7)));
  expect(run.pool).toMatchObject({ shares: 0n, balance: 0n, remainder: 0n });
});

test('where exact payout reaches a whole unit, the scale may lag behind it by a hair until the next deposit', () => {
  const run = new Run();
  run.change(1, 1n);
  run.change(2, 2n);
  run.deposit(1n);
  run.change(3, 3n);
  run.deposit(4n);
  expect(run.exact.owed('1')).toEqual(Fraction.of(1n));
  expect(owed(run.pool, run.holders.get(1)!)).toBe(0n);
  run.deposit(1n);
  expect(owed(run.pool, run.holders.get(1)!)).toBe(1n);
  run.check();
});

test('a deposit smaller than the shares is not lost', () => {
  const run = new Run();
  run.change(1, 1_000_000n);
  run.change(2, 1_000_000n);
  for (let n = 0; n < 200; n++) run.deposit(1n);
  run.check();
  expect(owed(run.pool, run.holders.get(1)!)).toBe(100n);
});

test('shares that are granted count from the next deposit on', () => {
  const run = new Run();
  run.change(1, 1n);
  run.deposit(100n);
  run.change(2, 1n);
  expect(owed(run.pool, run.holders.get(2)!)).toBe(0n);
  run.deposit(100n);
  expect([1, 2].map((n) => owed(run.pool, run.holders.get(n)!))).toEqual([150n, 50n]);
});

test('assertions: a deposit for nobody, a payout of another sum, shares changed before payment, negative shares', () => {
  expect(() => deposit(EMPTY_POOL, 1n)).toThrow('without holders');
  const { pool, holder } = changeShares(EMPTY_POOL, undefined, 1n);
  const full = deposit(pool, 5n);
  expect(() => payOut(full, holder!, 4n)).toThrow('a payout of 4 where 5 is owed');
  for (const owing of [full, deposit(pool, 1n)]) {
    expect(() => changeShares(owing, holder, 1n)).toThrow('only after what they are owed was paid');
  }
  expect(() => changeShares(pool, holder, -2n)).toThrow('no negative shares');
});
