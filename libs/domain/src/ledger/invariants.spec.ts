import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { mayGoBelowZero } from './accounts.js';
import { owed } from './pools.js';
import type { LedgerState } from './state.js';
import { COMMAND_TYPES, history } from './testing/arbitraries.js';
import { Fraction } from './testing/fraction.js';
import { LedgerRun, assertSound } from './testing/ledger-run.js';
import { Model } from './testing/model.js';
import { decodeLedgerEvent } from './codec.js';

/** A millionth of a minor unit: the scale's error over a history as short as these. */
const HAIR = Fraction.of(1n, 1_000_000n);
const ONE = Fraction.of(1n);

/** Compares without `expect`, which is too slow for tens of thousands of comparisons. */
function assertSame(expected: ReadonlyMap<string, bigint>, actual: ReadonlyMap<string, bigint>, what: string): void {
  for (const name of new Set([...expected.keys(), ...actual.keys()])) {
    const [want, have] = [expected.get(name) ?? 0n, actual.get(name) ?? 0n];
    if (want !== have) throw new Error(`${name} is ${have}, but ${want} by ${what}`);
  }
}

function balancesOf(state: LedgerState): Map<string, bigint> {
  return new Map([...state.accounts()].map(([name, , balance]) => [name, balance]));
}

/** Shares are the model's, and paid + owed is within one minor unit of an exact payout at once, for every holder. */
function comparePools(state: LedgerState, model: Model): void {
  for (const name of state.poolNames()) {
    const holders = state.holdersOf(name);
    const expected = model.pool(name);
    assertSame(expected.shares, new Map([...holders].map(([id, { shares }]) => [id, shares])), `the model of ${name}`);
    for (const [userId, holder] of holders) {
      const behind = (expected.owed(userId) ?? Fraction.ZERO).minus(Fraction.of(owed(state.pool(name), holder)));
      if (behind.plus(HAIR).lessThan(Fraction.ZERO) || !behind.minus(HAIR).lessThan(ONE)) {
        throw new Error(`${name} is ${behind.toString()} minor units behind what it owes ${userId}`);
      }
    }
  }
}

test('every history agrees with the model, command by command (invariants 1, 2, 4, 5, 7, 8, 9)', () => {
  fc.assert(
    fc.property(history(70), (steps) => {
      const run = new LedgerRun();
      const model = new Model();
      const rows = new Map<string, bigint>();
      for (const { command, waitMs } of steps) {
        run.now += waitMs;
        const verdict = model.verdict(command, run.now);
        const outcome = run.execute(command);
        const answer = outcome.status === 'accepted' ? 'accept' : 'refuse';
        if (verdict !== 'either' && verdict !== answer) {
          throw new Error(
            `${command.type} should be ${verdict}ed: ${JSON.stringify(outcome, (_, v) => (typeof v === 'bigint' ? `${v}` : v))}`,
          );
        }
        if (outcome.status !== 'accepted') continue;
        model.apply(command, outcome.events, run.now);
        for (const event of outcome.events) {
          const sums = new Map<string, bigint>();
          for (const [account, currency, delta] of event.entries) {
            sums.set(currency, (sums.get(currency) ?? 0n) + delta);
            rows.set(account, (rows.get(account) ?? 0n) + delta);
            if (!mayGoBelowZero(account) && (rows.get(account) ?? 0n) < 0n) throw new Error(`${account} is below zero`);
          }
          assertSame(new Map(), sums, 'invariant 1');
        }
        assertSound(run.state);
        const balances = balancesOf(run.state);
        assertSame(model.balances, balances, 'the model');
        assertSame(rows, balances, 'the entries');
        comparePools(run.state, model);
        for (const [userId, debts] of model.debts) {
          const known = run.state
            .shortfallsOf(userId)
            .map(({ reversalId: id, amount, open }) => ({ id, amount, open }));
          if (!isDeepStrictEqual(known, debts)) throw new Error(`${userId} owes something else than the model says`);
        }
      }
    }),
    { numRuns: 150 },
  );
});

/** Of one seed, and of enough histories for the rarest command. */
test('the histories get every kind of command accepted, or they would prove nothing about it', () => {
  const accepted = new Set<string>();
  for (const steps of fc.sample(history(70), { numRuns: 600, seed: 1 })) {
    const run = new LedgerRun();
    for (const { command, waitMs } of steps) {
      run.now += waitMs;
      if (run.execute(command).status === 'accepted') accepted.add(command.type);
    }
  }
  expect([...accepted].toSorted()).toEqual([...COMMAND_TYPES].toSorted());
});

test('an escrow holds what is open, and a chat that has ended holds nothing (invariant 5)', () => {
  fc.assert(
    fc.property(history(60), (steps) => {
      const run = new LedgerRun();
      const open = new Map<string, bigint>();
      for (const { command, waitMs } of steps) {
        run.now += waitMs;
        const outcome = run.execute(command);
        if (outcome.status !== 'accepted') continue;
        for (const event of outcome.events) {
          if (event.type === 'ChatPaymentHeld') open.set(event.chatId, event.amount);
          if (event.type !== 'ChatPaymentRefunded' && event.type !== 'ChatPaymentSettled') continue;
          const parts = event.type === 'ChatPaymentRefunded' ? [event.amount] : partsOf(event);
          expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(open.get(event.chatId));
          open.delete(event.chatId);
        }
        for (const chatId of ['c1', 'c2', 'c3']) {
          const hold = run.state.hold(chatId);
          if ((hold && hold.purchased + hold.earned) !== open.get(chatId))
            throw new Error(`${chatId} holds another sum`);
        }
      }
    }),
    { numRuns: 60 },
  );
});

const partsOf = (event: {
  hostShare: bigint;
  karmaShare: bigint;
  threadShare: bigint;
  treasuryShare: bigint;
  refunded: bigint;
}): bigint[] => [event.hostShare, event.karmaShare, event.threadShare, event.treasuryShare, event.refunded];

test('at every revision purchased + earned + owed is what the rows add up to and the accrued line (invariant 9)', () => {
  fc.assert(
    fc.property(history(50), (steps) => {
      const run = new LedgerRun();
      const rows = new Map<string, bigint>();
      for (const { command } of steps) {
        const seen = run.journal.length;
        run.execute(command);
        for (const { type, data } of run.journal.slice(seen)) {
          for (const [account, , delta] of decodeLedgerEvent(type, data).entries) {
            rows.set(account, (rows.get(account) ?? 0n) + delta);
          }
        }
        for (const userId of ['ann', 'ben', 'cat', 'dan']) {
          const statement = (rows.get(`user:${userId}:purchased`) ?? 0n) + (rows.get(`user:${userId}:earned`) ?? 0n);
          const accrued = run.state.owedByPool(userId).reduce((sum, [, amount]) => sum + amount, 0n);
          if (run.state.novaBalance(userId) !== statement + accrued)
            throw new Error(`${userId}: the rows do not add up`);
        }
      }
    }),
    { numRuns: 40 },
  );
});
